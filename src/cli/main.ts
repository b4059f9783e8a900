/** The one place where errors end: a sentence, a hint, exit 2. Sets the exit code; never cuts off what is being printed. */
import { CommanderError } from 'commander'
import { isStepforkError } from '../errors.ts'
import type { ReportedError } from '../report/error-text.ts'
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
    process.exitCode = isAnswered(error) ? 0 : await reportError(error, own)
  }
}

/** `--help` and `--version` end by an error of commander's, too. */
function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

async function reportError(error: unknown, args: readonly string[]): Promise<number> {
  const { errorText } = await import('../report/error-text.ts')
  const { paperFor } = await import('./terminal.ts')
  const reported = reportedError(error, args)
  if (args.includes('--json')) printJsonError(reported.code, reported.message, reported.hint)
  else process.stderr.write(errorText(reported, paperFor(process.stderr, undefined)))
  return error instanceof CommanderError ? 2 : ((error as { exitCode?: number }).exitCode ?? 2)
}

function reportedError(error: unknown, args: readonly string[]): ReportedError {
  if (error instanceof CommanderError) return usageError(error, args)
  return isStepforkError(error) ? error : internal(error)
}

/** Commander's own sentence; what it adds in brackets on a second line is the hint. */
function usageError({ message }: CommanderError, args: readonly string[]): ReportedError {
  const [sentence = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const command = args[0]?.startsWith('-') === false ? `${args[0]} ` : ''
  const help = `See: npx stepfork ${command}--help`
  return { code: 'USAGE', message: sentence, hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? help }
}

function internal(error: unknown): ReportedError {
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
