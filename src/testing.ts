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
  TurnReplayError,
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
export { FolderStepRecordStore } from './store/folder-step-store.ts'
export { InMemoryStepRecordStore } from './store/memory-step-store.ts'
export { readBundle } from './store/read-bundle.ts'
export { SqliteStepRecordStore, type SqliteStepRecordStoreOptions } from './store/sqlite-step-store.ts'
export type { Bundle } from './trace/bundle.ts'
export type { Validation } from './trace/validation.ts'
export type { ChatClient, ChatCompletion, ChatCompletionChunk } from './turns/chat-client.ts'
export { turnFromCompletion, turnFromModelResult } from './turns/foreign-turn.ts'
export type { ReplayLanguageModel } from './turns/language-model.ts'
export { parseInferenceRecord, parseStepRecord } from './turns/read-record.ts'
export { recordToolCall, recordTurn, type ToolCallOrigin, type TurnOrigin } from './turns/record-turn.ts'
export type { ReplayProviderOptions } from './turns/recorded-turns.ts'
export { ReplayProvider } from './turns/replay-provider.ts'
export { type RequestHashes, requestHashes, type TurnRequest } from './turns/request-hash.ts'
export type {
  CheckpointKey,
  InferenceRecord,
  StepRecord,
  ToolCallRecord,
  UsageRecord,
} from './turns/step-record.ts'
export type { StepRecordStore } from './turns/step-store.ts'
export {
  type FinishReason,
  type Turn,
  type TurnToolCall,
  type TurnUsage,
  turnFromRecord,
} from './turns/turn.ts'
export type { TurnMismatch } from './turns/turn-errors.ts'
export { formatInferenceRecord, formatStepRecord } from './turns/write-record.ts'
export { validateBundle } from './validate.ts'
export { worldFromTrace } from './world-from-trace.ts'
