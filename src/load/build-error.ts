import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BuildFailure, Location, Message } from 'esbuild'
import { StepforkError } from '../errors.ts'
import { codeFrame } from './code-frame.ts'
import { type Prelude, withoutPrelude } from './module-globals.ts'
import { showPath } from './show-path.ts'

interface BuildContext {
  /** The folder that esbuild's file names are relative to. */
  readonly base: string
  readonly preludes: ReadonlyMap<string, Prelude>
}

interface Spot {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Turns what esbuild says about the agent into one sentence that begins with `file:line:column`, and its code. */
export function buildError(failure: unknown, context: BuildContext): StepforkError {
  const first = isBuildFailure(failure) ? failure.errors[0] : undefined
  if (first === undefined) return cannotStart(failure)
  const { code, text, hint } = explain(first, context)
  const more = (failure as BuildFailure).errors.length - 1
  const also = more === 0 ? '' : ` (and ${more} more)`
  const spot = first.location === null ? null : spotOf(first.location, context)
  if (spot === null) return new StepforkError(code, `${text}${also}`, hint)
  const sentence = `${showPath(spot.file)}:${spot.line}:${spot.column} ${text}${also}`
  return new StepforkError(code, [sentence, ...frameOf(spot)].join('\n'), hint)
}

function isBuildFailure(failure: unknown): failure is BuildFailure {
  return failure instanceof Error && Array.isArray((failure as Partial<BuildFailure>).errors)
}

function cannotStart(failure: unknown): StepforkError {
  const reason = failure instanceof Error ? failure.message.split('\n')[0] : String(failure)
  return new StepforkError(
    'INTERNAL',
    `The agent could not be bundled: ${reason}`,
    'Install again on this machine (esbuild comes as one package for each platform), or try --loader tsx',
    { cause: failure },
  )
}

interface Explained {
  readonly code: 'AGENT_SYNTAX' | 'AGENT_IMPORT_FAILED'
  readonly text: string
  readonly hint: string | null
}

/** esbuild gives no codes, only sentences; what is not one of these three is about the syntax. */
function explain(message: Message, context: BuildContext): Explained {
  const [, missing] = /^Could not resolve "(.*)"$/.exec(message.text) ?? []
  if (missing !== undefined) return notResolved(missing)
  const [, file, name] = /^No matching export in "(.*)" for import "(.*)"$/.exec(message.text) ?? []
  if (file !== undefined) return notExported(showPath(resolve(context.base, file)), name!, message)
  const [, path] = /^No loader is configured for ".*" files: (.*)$/.exec(message.text) ?? []
  if (path !== undefined) return notCode(showPath(resolve(context.base, path)))
  return { code: 'AGENT_SYNTAX', text: message.text, hint: message.notes[0]?.text ?? null }
}

function notResolved(specifier: string): Explained {
  const isPath = /^[./#]/.test(specifier)
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [specifier]
  return {
    code: 'AGENT_IMPORT_FAILED',
    text: `There is no ${isPath ? 'file' : 'package'} "${specifier}" to import`,
    hint: isPath
      ? 'Check the path; it is relative to the file that imports it'
      : `Install it (npm install ${name}), or, if it is an alias, check "paths" in the nearest tsconfig.json`,
  }
}

function notExported(file: string, name: string, message: Message): Explained {
  return {
    code: 'AGENT_IMPORT_FAILED',
    text: `${file} has no export "${name}"`,
    hint: message.notes[0]?.text ?? `If "${name}" is a type, import it with "import type"`,
  }
}

function notCode(path: string): Explained {
  return {
    code: 'AGENT_IMPORT_FAILED',
    text: `${path} is no code, and Node cannot import it`,
    hint: 'Read it with readFileSync(new URL("…", import.meta.url)) instead',
  }
}

/** esbuild counts columns from 0 and in bytes, and saw the prelude where there is one. */
function spotOf(location: Location, { base, preludes }: BuildContext): Spot {
  const file = resolve(base, location.file)
  const seen = Buffer.from(location.lineText).subarray(0, location.column).toString().length
  return { file, line: location.line, column: withoutPrelude(preludes.get(file), location.line, seen) + 1 }
}

function frameOf({ file, line, column }: Spot): readonly string[] {
  try {
    return codeFrame(readFileSync(file, 'utf8'), line, column)
  } catch {
    return []
  }
}
