import type { BoundaryCall } from '../boundary/slot.ts'
import type { LiveCall, LiveRequest } from '../session/live-call.ts'
import type { Shape } from '../trace/call.ts'
import type { MadeFact } from '../trace/journal.ts'
import { captureSite } from './call-site.ts'
import type { Decision } from './decision.ts'
import type { LiveInput } from './live-input.ts'
import type { RunState } from './run-state.ts'

export interface MadeCall {
  readonly shape: Shape
  readonly input: LiveInput
  readonly request: LiveRequest
  readonly decision: Decision
  readonly otherSecrets?: readonly string[]
}

/** What the journal says of a call. Input and call site only where somebody will ask for them: both cost much. */
export function madeFact(run: RunState, made: MadeCall): MadeFact {
  const { shape, input, request, decision, otherSecrets = [] } = made
  const { kind, live, hastyBefore, boundary } = decision
  const isPlain =
    !run.tellsAll && live.verdict === 'matched' && hastyBefore === null && !isMatchedByRule(run, live)
  return {
    kind: 'made',
    live: live.number,
    at: run.now(),
    target: boundary.target,
    call: live.call === null ? null : run.plan.calls[live.call]!.number,
    verdict: live.verdict,
    answer: kind,
    parent: request.parent?.number ?? null,
    trigger: run.turns.window,
    shape,
    policy: boundary.policy,
    ...(isFree(run, live, boundary) && { order: 'any' }),
    ...(!isPlain && inputEvidence(input, boundary)),
    ...(hastyBefore !== null && { hastyBefore }),
    ...(otherSecrets.length > 0 && { otherSecrets }),
    ...(run.isSettled && { afterEnd: true }),
  }
}

function isFree({ plan }: RunState, { call }: LiveCall, boundary: BoundaryCall): boolean {
  return boundary.order === 'any' || (call !== null && plan.calls[call]!.order === 'any')
}

/** What was asked is then not what the recording has. */
function isMatchedByRule(run: RunState, live: LiveCall): boolean {
  const matcher = run.plan.calls[live.call ?? -1]?.match
  return matcher !== undefined && matcher.kind !== 'exact'
}

function inputEvidence(
  input: LiveInput,
  boundary: BoundaryCall,
): Pick<MadeFact, 'input' | 'findings' | 'marks' | 'site'> {
  const { value, ...told } = input.kept()
  return { input: value, ...told, site: captureSite(boundary) }
}
