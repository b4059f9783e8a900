import { type Recording, recordAgent } from '../record.ts'
import { recoverRecording } from '../recover.ts'
import { recordSummary } from '../report/record-summary.ts'
import { environmentWith, parseInput } from './option-values.ts'
import { programOf } from './program-of.ts'
import { startSpinner } from './spinner.ts'
import { paperFor } from './terminal.ts'

export interface RecordFlags {
  readonly agent?: string
  readonly input?: string
  readonly envFile?: string
  readonly name?: string
  readonly recover?: string
  readonly output?: string
  readonly overwrite?: boolean
  readonly timeout: number
  readonly color?: boolean
  readonly loader: 'bundle' | 'tsx'
}

export async function recordCommand(argv: readonly string[], flags: RecordFlags): Promise<number> {
  if (flags.recover !== undefined) return recover(flags.recover, flags)
  const program = programOf('record', argv, flags)
  const spinner = await startSpinner('loading the agent', true)
  const recording = await recordAgent({
    program,
    name: flags.name ?? null,
    output: flags.output ?? null,
    overwrite: flags.overwrite ?? false,
    input: flags.input === undefined ? null : parseInput(flags.input),
    timeoutMs: flags.timeout,
    env: environmentWith(flags.envFile),
    cwd: process.cwd(),
    onStart: spinner.stop,
  }).finally(spinner.stop)
  const { end, ...summary } = recording
  const cutOff = summary.status === 'running' ? howItEnded(end) : null
  process.stdout.write(recordSummary({ ...summary, cutOff }, paperFor(process.stdout, flags.color)))
  if (end.interrupted) return 130
  return cutOff === null ? 0 : 1
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
