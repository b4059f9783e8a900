import { fileURLToPath } from 'node:url'

/** A frame of a V8 stack: where the code that ran stands; `line` and `column` count from 1. */
export interface StackFrame {
  /** Absolute path, or a name such as `node:internal/timers`. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** Null at the top level of a file and in a function without a name. */
  readonly function: string | null
}

/** Reads `at fn (file:///a.mjs:1:2)`, `at file:///a.mjs:1:2` and `fn at file:///a.mjs:1:2`; null for any other text. */
export function parseFrame(text: string): StackFrame | null {
  const frame = text
    .trim()
    .replace(/^at /, '')
    .replace(/^async /, '')
  const inEval = /\(eval at (.*)$/.exec(frame)?.[1]
  if (inEval !== undefined) return parseFrame(inEval.replace(/\), .*$/, ')'))
  const [, before, path, line, column] =
    /^(.*? \(|.*? at )?((?:file:|node:|\/|[a-zA-Z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(frame) ?? []
  // What was given to `node -e` has a name in the form of a path, and no file.
  if (path === undefined || /\[eval\d*\]$/.test(path)) return null
  return { file: toPath(path), line: Number(line), column: Number(column), function: nameOf(before ?? '') }
}

/** Loaders put marks behind a URL (`?namespace=…`); in a plain path both characters are part of a name. */
function toPath(place: string): string {
  if (!place.startsWith('file:')) return place
  try {
    return fileURLToPath(place.replace(/[?#].*$/, ''))
  } catch {
    return place
  }
}

/** V8 names a method by its receiver; `Object` and `Module` say nothing about it. */
function nameOf(before: string): string | null {
  const name = before
    .replace(/ (\(|at )$/, '')
    .replace(/ \[as .*\]$/, '')
    .replace(/^(Object|Module)\./, '')
  return name === '' || name.includes('<anonymous>') ? null : name
}
