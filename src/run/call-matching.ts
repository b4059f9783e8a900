import { isJsonObject, type Json } from '../json/value.ts'
import { createEntryIndex } from '../match/entry-index.ts'
import type { Matcher } from '../match/matcher.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'

/** Turns a live input into the key of the planned call that it stands for, where inputs are matched by rules. */
export interface CallMatching {
  keyOf(identity: string, input: Json): string
  /** A live call has taken the planned one (number from 1). */
  taken(call: number): void
}

/** Null for a plan whose calls are found by the digest of their input. */
export function createCallMatching(plan: Plan): CallMatching | null {
  if (!plan.calls.every(hasMatcher) || plan.calls.length === 0) return null
  const entries = plan.calls.map(({ identity, match }) => ({ tool: identity, match }))
  const index = createEntryIndex(entries, [...entries.keys()])
  return {
    keyOf: (identity, input) => {
      if (!isJsonObject(input)) return NO_KEY
      // One that is used up tells "no more of these" from "never heard of".
      const call = index.find(identity, input) ?? index.last(identity, input)
      return call === null ? NO_KEY : plan.calls[call]!.keys[0]!
    },
    taken: call => index.use(call - 1),
  }
}

const NO_KEY = 'none'

function hasMatcher(call: PlannedCall): call is PlannedCall & { readonly match: Matcher } {
  return call.match !== undefined
}
