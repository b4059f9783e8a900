/** What tests and tools import. */
export { type CheckedOutcome, recorded, replay, type TestReplayOptions } from './checked-replay.ts'
export {
  ReplayError,
  ReplayExhaustedError,
  ReplayMismatchError,
  ReplayPolicyError,
  StepforkError,
} from './errors.ts'
export type { Divergence, Outcome, RunOutcome } from './outcome/outcome.ts'
export {
  ReplaySession,
  type ReplaySessionOptions,
  type SessionCall,
  type SessionSummary,
} from './run/replay-session.ts'
export { readBundle } from './store/read-bundle.ts'
export type { Bundle } from './trace/bundle.ts'
export type { Validation } from './trace/validation.ts'
export { validateBundle } from './validate.ts'
