/** Which recorded call a live one takes (equal identity and input), or borrows when none is equal. */
import type { PlannedCall } from '../plan/plan.ts'
import { type CallIndex, createCallIndex } from './call-index.ts'
import type { Ledger } from './ledger.ts'
import type { LiveRequest } from './live-call.ts'

export interface Taking {
  /** Index of the recorded call that equals the live one: the earliest that no exact call has, one under its parent first. */
  exact(request: LiveRequest): number | null
  /** Index of the recorded call whose answer an unequal call may borrow; only one whose predecessors are answered. */
  borrowed(request: LiveRequest): number | null
  /** How often the recording has this very call. */
  recordedTimes(request: LiveRequest): number
  /** A taken call was given back: offer it again. */
  offerAgain(call: number): void
}

export function createTaking(ledger: Ledger): Taking {
  const { calls, owner } = ledger
  const expected = calls.filter((_, index) => !ledger.isNested(index))
  const nested = calls.filter((_, index) => ledger.isNested(index))
  const exactKeys = (call: PlannedCall): string[] => call.keys.map(key => `${call.identity}\n${key}`)

  const equal = indexBy(expected, exactKeys)
  const equalUnderParent = indexBy(
    expected.filter(call => call.inside !== null),
    call => exactKeys(call).map(key => `${call.inside}\n${key}`),
  )
  const equalNested = indexBy(nested, exactKeys)
  const identity = indexBy(expected, call => [call.identity])
  const input = indexBy(expected, call => call.keys.map(key => `${call.target.kind}\n${key}`))

  const provider = indexBy(expected, ({ target }) => (target.kind === 'llm' ? [String(target.provider)] : []))

  const untakenByExact = (call: number): boolean => owner[call] === null || owner[call]!.lent
  const fits =
    ({ fits: fit }: LiveRequest) =>
    (call: number): boolean =>
      fit === undefined || fit(calls[call]!.number)
  const untaken = (call: number): boolean => owner[call] === null
  const ripe = (call: number | null): number | null =>
    call !== null && (calls[call]!.due <= ledger.low || ledger.isFree(call)) ? call : null

  /** The common case, without a digest: nothing went wrong so far and it is simply the next expected call. */
  const next = (request: LiveRequest): number | null => {
    const call = ledger.irregular ? undefined : calls[ledger.made]
    if (call === undefined || call.identity !== request.identity || call.inside !== parentNumber(request))
      return null
    return request.same(call.number) ? ledger.made : null
  }

  return {
    exact: request => {
      const simple = next(request)
      if (simple !== null) return simple
      const key = `${request.identity}\n${request.key()}`
      const parent = parentNumber(request)
      return (
        (parent === null
          ? null
          : equalUnderParent.find(`${parent}\n${key}`, untakenByExact, fits(request))) ??
        equal.find(key, untakenByExact, fits(request)) ??
        equalNested.find(
          key,
          untaken,
          call => owner[calls[call]!.inside! - 1] !== null && fits(request)(call),
        )
      )
    },
    borrowed: request => ripe(identity.first(request.identity, untaken)) ?? fromAnotherTarget(request),
    recordedTimes,
    offerAgain: call => {
      const recorded = calls[call]!
      for (const key of exactKeys(recorded)) {
        equal.rewind(key)
        equalNested.rewind(key)
        equalUnderParent.rewind(`${recorded.inside}\n${key}`)
      }
      identity.rewind(recorded.identity)
      if (recorded.target.kind === 'llm') provider.rewind(String(recorded.target.provider))
      for (const key of recorded.keys) input.rewind(`${recorded.target.kind}\n${key}`)
    },
  }

  function recordedTimes(request: LiveRequest): number {
    return equal.count(`${request.identity}\n${request.key()}`)
  }

  /** A call that the recording has, only not so often, is no other call in disguise. */
  function fromAnotherTarget(request: LiveRequest): number | null {
    if (recordedTimes(request) > 0) return null
    return ripe(input.first(`${request.target.kind}\n${request.key()}`, untaken)) ?? fromAnotherModel(request)
  }

  /** The recorded call of the same provider that asks the same of another model. */
  function fromAnotherModel({ target, keyFor }: LiveRequest): number | null {
    if (target.kind === 'tool' || keyFor === undefined) return null
    const call = ripe(provider.first(String(target.provider), untaken))
    if (call === null) return null
    const { target: recorded, keys } = calls[call]!
    const key = recorded.kind === 'llm' ? keyFor(recorded.model) : null
    return key !== null && keys.includes(key) ? call : null
  }

  function parentNumber(request: LiveRequest): number | null {
    return request.parent === null || request.parent.call === null ? null : request.parent.call + 1
  }
}

function indexBy(calls: readonly PlannedCall[], keysOf: (call: PlannedCall) => readonly string[]): CallIndex {
  const entries = calls.flatMap(call => keysOf(call).map(key => [key, call.number - 1] as const))
  return createCallIndex(entries)
}
