/** The one place where errors end: a sentence, a hint, exit 2. Sets the exit code; never cuts off what is being printed. */
import { CommanderError } from 'commander'
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
    process.exitCode = isAnswered(error) ? 0 : await endWith(error, own)
  }
}

/** `--help` and `--version` end by an error of commander's, too. */
function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

async function endWith(error: unknown, args: readonly string[]): Promise<number> {
  const { reportError } = await import('./report-error.ts')
  return reportError(error, args)
}

/** `stepfork … | head` closes the pipe; that is no error of ours. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
