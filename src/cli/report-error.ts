/** An error that ends a command, as the user reads it. Loaded only then. */
import { isStepforkError } from '../errors.ts'
import { errorText, type ReportedError } from '../report/error-text.ts'
import { jsonDocument } from '../report/json-document.ts'
import { version } from '../version.ts'
import { paperFor } from './terminal.ts'

/** Prints one sentence and what to do, or with `--json` one document; gives the exit code. */
export function reportError(error: unknown, args: readonly string[]): number {
  const reported = reportedError(error, args)
  if (args.includes('--json')) printJsonError(reported.code, reported.message, reported.hint)
  else process.stderr.write(errorText(reported, paperFor(process.stderr, undefined)))
  return isUsage(error) ? 2 : ((error as { exitCode?: number }).exitCode ?? 2)
}

/** By its code, not its class: this file has a copy of commander's classes of its own, or none. */
function isUsage(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('commander.')
}

function reportedError(error: unknown, args: readonly string[]): ReportedError {
  if (isUsage(error)) return usageError(error, args)
  return isStepforkError(error) ? error : internal(error)
}

/** Commander's own sentence; what it adds in brackets on a second line is the hint. */
function usageError({ message }: Error, args: readonly string[]): ReportedError {
  const [sentence = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const isUnknown = sentence.startsWith('unknown command')
  const command = !isUnknown && args[0]?.startsWith('-') === false ? `${args[0]} ` : ''
  const help = isBareCommand(sentence) ? BEHIND_DASHES : `See: npx stepfork ${command}--help`
  return { code: 'USAGE', message: sentence, hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? help }
}

/** `stepfork record node agent.js`: the first thing that people type. */
function isBareCommand(sentence: string): boolean {
  return sentence.startsWith("too many arguments for 'record'")
}

const BEHIND_DASHES = 'A command stands behind --: npx stepfork record -- node agent.js'

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
  process.stdout.write(jsonDocument(document))
}
