import { ATTRIBUTES } from '../git-attributes.ts'
import { type Recording, type RecordOptions, recordAgent } from '../record.ts'
import { recordAgain, recordedAgent } from '../record-again.ts'
import { recoverRecording } from '../recover.ts'
import { agentArgument } from '../report/hints.ts'
import { recordSummary } from '../report/record-summary.ts'
import type { ProfileName } from '../trace/redaction-profile.ts'
import { environmentWith, parseInput, usage } from './option-values.ts'
import { programOf } from './program-of.ts'
import { startSpinner } from './spinner.ts'
import { paperFor } from './terminal.ts'

export interface RecordFlags {
  readonly agent?: string
  readonly input?: string
  readonly envFile?: string
  readonly name?: string
  readonly again?: string
  readonly recover?: string
  readonly output?: string
  readonly overwrite?: boolean
  readonly seeded?: boolean
  readonly timeout: number
  readonly redaction?: ProfileName
  readonly color?: boolean
  readonly loader: 'bundle' | 'tsx'
}

export async function recordCommand(argv: readonly string[], flags: RecordFlags): Promise<number> {
  if (flags.recover !== undefined) return recover(flags.recover, flags)
  askForAgentAgain(argv, flags)
  const program = programOf('record', argv, flags)
  const spinner = await startSpinner('loading the agent', true)
  const options: Omit<RecordOptions, 'input'> = {
    program,
    name: flags.name ?? null,
    output: flags.output ?? null,
    overwrite: flags.overwrite ?? false,
    seeded: flags.seeded ?? false,
    timeoutMs: flags.timeout,
    redaction: flags.redaction,
    env: environmentWith(flags.envFile),
    cwd: process.cwd(),
    onStart: spinner.stop,
  }
  const recording = await record(options, flags).finally(spinner.stop)
  const { end, gitAttributes, ...summary } = recording
  const git = gitAttributes === null ? null : { file: gitAttributes, line: ATTRIBUTES }
  const cutOff = summary.status === 'running' ? howItEnded(end) : null
  process.stdout.write(recordSummary({ ...summary, cutOff, git }, paperFor(process.stdout, flags.color)))
  if (end.interrupted) return 130
  return cutOff === null ? 0 : 1
}

function record(options: Omit<RecordOptions, 'input'>, { again, input }: RecordFlags): Promise<Recording> {
  const given = input === undefined ? {} : { input: parseInput(input) }
  return again === undefined
    ? recordAgent({ input: null, ...options, ...given })
    : recordAgain(again, { ...options, ...given })
}

/** A recorded command is shown, never run: who wrote the recording is not who runs it. */
function askForAgentAgain(argv: readonly string[], { again, agent }: RecordFlags): void {
  if (again === undefined || agent !== undefined || argv.length > 0) return
  const recorded = recordedAgent(again)
  const how = recorded === null ? '--agent ./agent.ts' : agentArgument(recorded)
  throw usage(
    'record --again needs the agent again',
    recorded === null ? `Name its file: ${how}` : `It was recorded with ${how}`,
  )
}

function recover(folder: string, flags: RecordFlags): number {
  const recovered = recoverRecording(folder, flags.output ?? null, flags.overwrite ?? false)
  const cutOff = recovered.status === 'running' ? 'before it was finished' : null
  process.stdout.write(recordSummary({ ...recovered, cutOff }, paperFor(process.stdout, flags.color)))
  return 0
}

function howItEnded({ exitCode, signal, silentMs, interrupted }: Recording['end']): string {
  if (interrupted) return 'as you asked'
  if (silentMs !== null) return 'at its time-out'
  return signal === null ? `with code ${exitCode} before the run was over` : `by ${signal}`
}
