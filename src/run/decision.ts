import type { BoundaryCall } from '../boundary/slot.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { AnswerKind } from '../trace/journal.ts'
import type { Question, Reply } from '../trace/question.ts'

/** What is done with a call: what the session says, or in mode manual a person. */
export interface Decision {
  readonly kind: AnswerKind
  readonly live: LiveCall
  readonly hastyBefore: number | null
  /** The call, with the body that runs when it is executed. */
  readonly boundary: BoundaryCall
}

/** Gives the reply when it has come: the agent stands still until then, so that synchronous calls can be asked about. */
export type Ask = (question: Question) => Reply
