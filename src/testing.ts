/** What tests and tools import. */
export type { RunFailure } from './cassette/agent-end.ts'
export type { Cassette, CassetteEntry, CassetteInput } from './cassette/cassette.ts'
export type { CallOptions } from './cassette/cassette-calls.ts'
export { type BoundTool, CassettePlayer, playCassette } from './cassette/cassette-player.ts'
export { CassetteWorld } from './cassette/cassette-world.ts'
export { contentHash, sizeBytes } from './cassette/content-hash.ts'
export { CassetteMismatchError, type NearestEntry, type ReplayMiss } from './cassette/mismatch.ts'
export { type CassetteOptions, parseCassette, toCassette } from './cassette/read-cassette.ts'
export { formatTrace, parseTrace, toTrace } from './cassette/read-trace.ts'
export { ShapeError, type ShapeProblem } from './cassette/shape-error.ts'
export type { Step, Trace, TraceInput } from './cassette/trace.ts'
export type { WorldOptions } from './cassette/world-from-trace.ts'
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
export { type AgentRun, type CassetteAgent, type RunAgentOptions, runAgent } from './run-agent.ts'
export type { AgentContext } from './run-agent-file.ts'
export { readBundle } from './store/read-bundle.ts'
export type { Bundle } from './trace/bundle.ts'
export type { Validation } from './trace/validation.ts'
export { validateBundle } from './validate.ts'
export { worldFromTrace } from './world-from-trace.ts'
