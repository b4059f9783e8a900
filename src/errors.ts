/**
 * Every error that stepfork throws on purpose. Two copies of the package may live in one process (an ESM and
 * a CJS one, or two versions), so an error is recognised by a mark under `Symbol.for`, never by its class.
 */

const MARK = Symbol.for('stepfork.error.v1')

/** Stable codes of errors that end a command with exit 2; documented in docs/errors.md. */
export type ErrorCode =
  | 'BUNDLE_NOT_FOUND'
  | 'BUNDLE_INVALID'
  | 'BUNDLE_UNSUPPORTED'
  | 'BUNDLE_EXISTS'
  | 'AGENT_NOT_FOUND'
  | 'AGENT_SYNTAX'
  | 'AGENT_NO_ENTRY'
  | 'AGENT_IMPORT_FAILED'
  | 'AGENT_MULTI_PROCESS'
  | 'NOTHING_COMPARED'
  | 'CASSETTE_INVALID'
  | 'TRACE_INVALID'
  | 'NOT_JSON'
  | 'TOOL_SHAPE'
  | 'SESSION_AMBIGUOUS'
  | 'WRITE_FAILED'
  | 'STEP_RECORD_INVALID'
  | 'STEP_STORE_FAILED'
  | 'SQLITE_MISSING'
  | 'USAGE'
  | 'INTERNAL'

/** A failure with a stable `code`, a sentence, and a `hint` that says what to do about it. */
export class StepforkError extends Error {
  static readonly label: string = 'StepforkError'
  override readonly name: string = 'StepforkError'
  readonly code: string
  readonly hint: string | null

  constructor(
    code: ErrorCode | ReplayCode,
    message: string,
    hint: string | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.hint = hint
    Object.defineProperty(this, MARK, { value: true })
  }

  /** Works across copies of the package: what counts is the label, not the class object. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasMark(value) && isLabelled(value, this.label)
  }
}

/** Codes of the errors that a replay throws into the agent. */
export type ReplayCode =
  | 'ERR_STEPFORK_DIVERGED'
  | 'ERR_STEPFORK_EXHAUSTED'
  | 'ERR_STEPFORK_REFUSED'
  | 'ERR_STEPFORK_DEPENDENCY'
  | 'ERR_STEPFORK_TURN'

/** Base of all errors that a replay throws into the agent; SDKs do not retry them. */
export class ReplayError extends StepforkError {
  static override readonly label: string = 'ReplayError'
  override readonly name: string = 'ReplayError'
  /** An SDK that looks at `status` takes it for a request that is wrong and must not be sent again. */
  readonly status = 400
  readonly isRetryable = false
}

/** What a refused call asked, next to what the recording has. */
export interface MismatchDetails {
  /** The divergence kind (see docs/divergences.md). */
  readonly kind: string
  /** Number of the recorded call it was compared with, from 1; null when there is none. */
  readonly call: number | null
  /** Number of the live call that was refused, from 1. */
  readonly live: number
  /** Name of the tool, or `provider/model`. */
  readonly label: string
}

/** A call that the recording cannot answer. */
export class ReplayMismatchError extends ReplayError {
  static override readonly label: string = 'ReplayMismatchError'
  override readonly name: string = 'ReplayMismatchError'
  readonly details: MismatchDetails

  constructor(message: string, details: MismatchDetails, code: ReplayCode = 'ERR_STEPFORK_DIVERGED') {
    super(code, message)
    this.details = details
  }
}

/** The recording holds this very call, but every one of them is used up. */
export class ReplayExhaustedError extends ReplayMismatchError {
  static override readonly label: string = 'ReplayExhaustedError'
  override readonly name: string = 'ReplayExhaustedError'

  constructor(message: string, details: MismatchDetails) {
    super(message, details, 'ERR_STEPFORK_EXHAUSTED')
  }
}

/** The mode, or the policy recorded with the call, does not allow it. */
export class ReplayPolicyError extends ReplayError {
  static override readonly label: string = 'ReplayPolicyError'
  override readonly name: string = 'ReplayPolicyError'
  readonly details: MismatchDetails

  constructor(message: string, details: MismatchDetails) {
    super('ERR_STEPFORK_REFUSED', message)
    this.details = details
  }
}

/** Which recorded turn; what is not known is null. */
export interface TurnPlace {
  readonly runId: string | null
  /** Index of the step in the list that is replayed, from 0. */
  readonly position: number | null
  /** The step's own number; a bigint beyond 2^53. */
  readonly superStep: number | bigint | null
  /** How many steps there are. */
  readonly available: number | null
}

export type TurnFault =
  | 'missing-step'
  | 'no-inference'
  | 'decode'
  | 'mismatch'
  | 'unrecorded-tool'
  | 'not-asked'

/** Recorded turns cannot answer: none is left, the next one holds no turn, or something else was asked. */
export class TurnReplayError extends ReplayError implements TurnPlace {
  static override readonly label: string = 'TurnReplayError'
  override readonly name: string = 'TurnReplayError'
  readonly kind: TurnFault
  readonly runId: string | null
  readonly position: number | null
  readonly superStep: number | bigint | null
  readonly available: number | null

  constructor(
    kind: TurnFault,
    message: string,
    { runId = null, position = null, superStep = null, available = null }: Partial<TurnPlace> = {},
    hint: string | null = null,
  ) {
    super('ERR_STEPFORK_TURN', message, hint)
    this.kind = kind
    this.runId = runId
    this.position = position
    this.superStep = superStep
    this.available = available
  }
}

/**
 * Whether an error is a refusal of ours or carries one down its `cause` chain: the live number (from 1) of the refused call,
 * else null.
 */
export function refusedLive(error: unknown): number | null {
  for (let depth = 0, at = error; depth < 16 && typeof at === 'object' && at !== null; depth++) {
    if (hasMark(at) && isLabelled(at, 'ReplayError'))
      return (at as { details?: MismatchDetails }).details?.live ?? null
    at = (at as { cause?: unknown }).cause
  }
  return null
}

/** True for any error of ours, from whatever copy of the package it comes. */
export function isStepforkError(error: unknown): error is StepforkError {
  return hasMark(error)
}

function hasMark(value: unknown): value is object {
  return typeof value === 'object' && value !== null && MARK in value
}

function isLabelled(value: object, label: string): boolean {
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at.constructor ?? {}, 'label') && at.constructor.label === label) return true
  }
  return false
}
