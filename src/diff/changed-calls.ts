/** What two recordings of one agent have in common, call by call; their order is not compared. */

export interface ComparedCall {
  /** Kind and name, or provider and model. */
  readonly identity: string
  readonly label: string
  /** Digests of what it was asked and of what came back. */
  readonly input: string
  readonly result: string
}

export type ChangeKind = 'other-input' | 'other-output' | 'added' | 'removed'

export interface CallChange {
  readonly kind: ChangeKind
  readonly label: string
  /** Its number in each of the recordings, from 1; null where it is not. */
  readonly before: number | null
  readonly now: number | null
}

export interface ChangedCalls {
  /** Calls of the new recording that were asked and answered as before. */
  readonly same: number
  /** In the order of the new recording; what was removed stands last. */
  readonly changes: readonly CallChange[]
}

/** A call is paired with the first of equal input; what is left over, with the first of its name. */
export function changedCalls(before: readonly ComparedCall[], now: readonly ComparedCall[]): ChangedCalls {
  const take = takeOnce(before)
  const exact = now.map(take(call => `${call.identity} ${call.input}`))
  const byName = take(call => call.identity)
  const found = now.map((call, index) => exact[index] ?? byName(call))
  const changes = now.flatMap((call, index) => changeOf(call, index, found[index] ?? null, before) ?? [])
  const taken = new Set(found)
  const removed = before.flatMap((call, index) =>
    taken.has(index) ? [] : [change('removed', call, index, null)],
  )
  return { same: now.length - changes.length, changes: [...changes, ...removed] }
}

/** Gives for a call the index of the first equal one that no other call was given; what is equal says `keyOf`. */
function takeOnce(calls: readonly ComparedCall[]) {
  const taken = new Set<number>()
  return (keyOf: (call: ComparedCall) => string) => {
    const waiting = new Map<string, number[]>()
    for (let index = calls.length - 1; index >= 0; index--) {
      if (taken.has(index)) continue
      const key = keyOf(calls[index]!)
      const equal = waiting.get(key)
      if (equal === undefined) waiting.set(key, [index])
      else equal.push(index)
    }
    return (call: ComparedCall): number | null => {
      const index = waiting.get(keyOf(call))?.pop() ?? null
      if (index !== null) taken.add(index)
      return index
    }
  }
}

function changeOf(
  call: ComparedCall,
  now: number,
  found: number | null,
  before: readonly ComparedCall[],
): CallChange | null {
  if (found === null) return change('added', call, null, now)
  const other = before[found]!
  if (other.input !== call.input) return change('other-input', call, found, now)
  return other.result === call.result ? null : change('other-output', call, found, now)
}

function change(
  kind: ChangeKind,
  { label }: ComparedCall,
  before: number | null,
  now: number | null,
): CallChange {
  return { kind, label, before: numberOf(before), now: numberOf(now) }
}

function numberOf(index: number | null): number | null {
  return index === null ? null : index + 1
}
