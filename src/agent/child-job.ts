/** What the supervisor tells the agent's process to do; written once, to file descriptor 3. */
import type { Mark } from '../json/mark.ts'
import type { Json } from '../json/value.ts'
import type { Plan } from '../plan/plan.ts'

/** What is to be run against what, whoever loads the agent. */
export interface RunJob {
  readonly plan: Plan
  /** Folder of the bundle whose payloads are served; null in a recording. */
  readonly bundle: string | null
  /** File of the journal. */
  readonly journal: string
  /** What in the run's input JSON lacks; absent: nothing. */
  readonly inputMarks?: readonly Mark[] | undefined
  readonly onDivergence: 'continue' | 'stop'
  readonly stallMs: number
  readonly maxCalls: number
  /** `all`: inputs and call sites of calls that matched are written, too. Absent: divergent. */
  readonly evidence?: 'divergent' | 'all'
  /** Open addresses when the network is closed; null: the network is open. */
  readonly closedNetworkAllows: readonly string[] | null
  /** A recording whose random bytes come from a seed, which it keeps. Absent: from where they always come. */
  readonly seeded?: boolean
  /** A replay whose run is made a recording of its own (`--save`). */
  readonly isKept?: boolean
}

export interface ChildJob extends RunJob {
  /** What to import: the bundled code, or the agent's own file under tsx. */
  readonly code: string
  /** The agent's own file, for sentences and for `process.argv[1]` of a script. */
  readonly file: string
  readonly export: string | null
  /** It exports nothing, so importing it is the run; null when only importing it tells. */
  readonly isScript: boolean | null
  readonly argv: readonly string[]
  /** The one argument, or the arguments; null: none. */
  readonly input: Json
}

/** Read from a file that the environment names: not every program passes descriptors on to what it starts. */
export interface CommandJob extends RunJob {
  /** What ends with it ends with the command. */
  readonly supervisor: number
  /** File of the first process that makes a call: the run is its own. */
  readonly owner: string
}

/** Variable that names the file of the job of a command. */
export const COMMAND_JOB = 'STEPFORK_RUN'

/** Exit code of a process that could not write its journal; no program's own. */
export const JOURNAL_FAILED = 117

/** File descriptor from which the child reads its job. */
export const JOB_DESCRIPTOR = 3

/** File descriptor of a pipe that ends with the supervisor. */
export const LIFELINE_DESCRIPTOR = 4

/** File descriptor on which it asks, in mode manual, and reads the replies. */
export const QUESTION_DESCRIPTOR = 5
