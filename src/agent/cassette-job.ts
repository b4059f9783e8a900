/** What an agent's process is told when it runs against a cassette, and what it writes down. */
import type { AgentEnd } from '../cassette/agent-end.ts'
import type { CassetteInput } from '../cassette/cassette.ts'
import type { Json, JsonObject } from '../json/value.ts'

export interface CassetteJob {
  readonly cassette: CassetteInput
  readonly journal: string
  /** What to import: the bundled code. */
  readonly code: string
  /** The agent's own file, for sentences. */
  readonly file: string
  readonly export: string | null
  readonly llm: Json
  readonly runId: string
  readonly maxActions: number
  /** Files and folders that may be read. */
  readonly readable: readonly string[]
}

export type CassetteFact =
  /** The agent is about to be called; the time starts. */
  | { readonly kind: 'began' }
  | { readonly kind: 'called'; readonly tool: string; readonly args: JsonObject }
  | { readonly kind: 'blocked'; readonly what: string }
  | { readonly kind: 'ended'; readonly end: AgentEnd; readonly ms: number }
