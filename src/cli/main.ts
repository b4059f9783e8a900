/** The one place where errors end: a sentence, a hint, exit 2. Sets the exit code; never cuts off what is being printed. */
import { CommanderError } from 'commander'
import { isStepforkError } from '../errors.ts'
import { version } from '../version.ts'
import { createProgram } from './program.ts'

await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe)
  const separator = args.indexOf('--')
  const own = separator === -1 ? args : args.slice(0, separator)
  const behind = separator === -1 ? [] : args.slice(separator + 1)
  const program = createProgram(behind, exitCode => {
    process.exitCode = exitCode
  })
  try {
    if (own.length === 0) program.outputHelp()
    else await program.parseAsync([...own], { from: 'user' })
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? usageExit(error, own) : await reportError(error, own)
  }
}

/** Commander has printed its sentence already. */
function usageExit(error: CommanderError, args: readonly string[]): number {
  if (error.exitCode === 0) return 0
  if (args.includes('--json')) printJsonError('USAGE', error.message.replace(/^error: /, ''), null)
  return 2
}

async function reportError(error: unknown, args: readonly string[]): Promise<number> {
  const { errorText } = await import('../report/error-text.ts')
  const { paperFor } = await import('./terminal.ts')
  const reported = isStepforkError(error) ? error : internal(error)
  if (args.includes('--json')) printJsonError(reported.code, reported.message, reported.hint)
  else process.stderr.write(errorText(reported, paperFor(process.stderr, undefined)))
  return (error as { exitCode?: number }).exitCode ?? 2
}

function internal(error: unknown): { code: string; message: string; hint: string } {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'INTERNAL', message, hint: 'This is a fault of stepfork. Please report it.' }
}

function printJsonError(code: string, message: string, hint: string | null): void {
  const document = {
    stepfork: version,
    shape: 1,
    verdict: 'error',
    exitCode: 2,
    runs: [],
    error: { code, message, hint },
  }
  process.stdout.write(`${JSON.stringify(document)}\n`)
}

/** `stepfork … | head` closes the pipe; that is no error of ours. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
