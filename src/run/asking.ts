/**
 * Mode manual: after a call was matched, and before anything is handed out, a person says how it is answered. The session
 * knows nothing of that: a recorded answer that is taken is one that it serves, and what is run or given by hand is a call
 * that is executed, the second with another body.
 */
import { type BoundaryCall, isHttp } from '../boundary/slot.ts'
import { answerOf } from '../dialect/answer-of.ts'
import type { Mark } from '../json/mark.ts'
import { marked } from '../json/marked.ts'
import type { Json } from '../json/value.ts'
import { labelOf } from '../plan/identity.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { Answer, LiveCall, LiveRequest } from '../session/live-call.ts'
import type { Shape } from '../trace/call.ts'
import type { AskedAnswer, AskedCall, Question } from '../trace/question.ts'
import { openingOf } from './answering.ts'
import type { Decision } from './decision.ts'
import { type AnswerForm, givenBody } from './given-body.ts'
import { httpAnswer } from './http-answer.ts'
import type { LiveInput } from './live-input.ts'
import { madeFact } from './made-fact.ts'
import type { RunState } from './run-state.ts'

export interface ArrivedCall {
  readonly boundary: BoundaryCall
  readonly shape: Shape
  readonly input: LiveInput
  readonly request: LiveRequest
}

export function decide(run: RunState, arrived: ArrivedCall, answer: Answer): Decision {
  const { live, hastyBefore } = answer
  const asPlanned = { kind: answer.kind, live, hastyBefore, boundary: arrived.boundary }
  if (run.ask === null || !isAskedAbout(live, arrived.request)) return asPlanned
  const reply = run.ask(questionOf(run, arrived, answer))
  switch (reply.kind) {
    case 'take':
      return asPlanned
    case 'run':
      run.session.execute(live)
      return { ...asPlanned, kind: 'run' }
    case 'edit':
      run.session.execute(live)
      return { ...asPlanned, kind: 'edit', boundary: withBody(run, live, arrived, reply.value) }
    case 'stop':
      stop(run, arrived, { ...asPlanned, kind: 'refuse' })
      return asPlanned
  }
}

/** What the recording forbids is refused unasked; what comes after the end and is not recorded stays open. */
function isAskedAbout({ verdict, call }: LiveCall, { afterEnd }: LiveRequest): boolean {
  return verdict !== 'refused' && !(afterEnd && call === null)
}

function questionOf(run: RunState, { boundary, input, request }: ArrivedCall, answer: Answer): Question {
  const { number, verdict, call } = answer.live
  const { target } = boundary
  return {
    live: number,
    kind: target.kind,
    label: labelOf(target),
    input: compared(run, input.kept().value, input.kept().marks),
    inside: request.parent?.number ?? null,
    verdict,
    call: call === null ? null : askedCall(run, run.plan.calls[call]!, answer.kind),
    of: run.plan.calls.length,
  }
}

function askedCall(run: RunState, call: PlannedCall, kind: Answer['kind']): AskedCall {
  return {
    number: call.number,
    label: labelOf(call.target),
    input: compared(run, run.payloads!.field(call.request, 'input') as Json, call.inputMarks),
    answer: askedAnswer(run, call, kind),
  }
}

function askedAnswer({ payloads }: RunState, call: PlannedCall, kind: Answer['kind']): AskedAnswer | null {
  if (kind === 'pending') return { status: 'open' }
  if (kind !== 'serve' && kind !== 'lend') return null
  if (call.error !== null) return { status: 'error', error: call.error }
  if (call.resultMarks?.some(({ path, is }) => path === '' && is === 'undefined'))
    return { status: 'undefined' }
  if (call.outcome === null) return { status: 'open' }
  return { status: 'ok', value: payloads!.field(call.outcome, 'output') as Json }
}

/** So that a person sees what differs where a Date is not its text. */
function compared({ plan }: RunState, value: Json, marks: readonly Mark[] | undefined): Json {
  return plan.keepsValues ? marked(value, marks) : value
}

function withBody(run: RunState, live: LiveCall, arrived: ArrivedCall, value: Json): BoundaryCall {
  const { boundary } = arrived
  if (isHttp(boundary))
    return { ...boundary, body: async () => httpAnswer(answerOf(boundary.exchange.read, value)) }
  return { ...boundary, body: givenBody(value, formOf(run, live, arrived), boundary.decode) }
}

function formOf(run: RunState, live: LiveCall, { boundary, shape }: ArrivedCall): AnswerForm {
  if (shape !== 'stream' || boundary.declared === 'stream') return shape
  return openingOf(run, live, boundary) === 'at-once' ? 'stream' : 'promise of a stream'
}

/** Ends the process. The call itself counts as not reached, but where it is not as recorded: that is known, and is told. */
function stop(run: RunState, { shape, input, request }: ArrivedCall, decision: Decision): void {
  if (decision.live.verdict !== 'matched') run.write(madeFact(run, { shape, input, request, decision }))
  run.write({ kind: 'stopped', at: run.now(), why: 'by-hand', limit: null })
}
