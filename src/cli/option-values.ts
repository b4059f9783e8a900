/** Values of options as a user types them. Each throws USAGE with a sentence that shows a right value. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { StepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'

const UNIT_MS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1000 }

/** `30s`, `2m`, `500ms` or plain seconds, in milliseconds. */
export function parseTime(option: string): (text: string) => number {
  return text => {
    const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text.trim())
    if (match === null)
      throw usage(`${option} ${text} is not a time`, 'Write it as 30s, 2m, 500ms, or plain seconds.')
    return Number(match[1]) * UNIT_MS[match[2]!]!
  }
}

export function parseCount(option: string): (text: string) => number {
  return text => {
    if (!/^\d+$/.test(text)) throw usage(`${option} ${text} is not a whole number`, null)
    return Number(text)
  }
}

/** JSON, else the text itself; `@file` and `-` (standard input) are read first. */
export function parseInput(text: string): Json {
  const content =
    text === '-'
      ? readFileSync(0, 'utf8')
      : text.startsWith('@')
        ? readOptionFile(`--input ${text}`, text.slice(1), 'a file that is there')
        : text
  try {
    return parseJson(content)
  } catch {
    return content
  }
}

/** The text of a file; `option` as the user wrote it, `what` says what should be in the file. Throws USAGE. */
export function readOptionFile(option: string, path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StepforkError('USAGE', `${option} cannot be read`, `Name ${what}.`, { cause })
  }
}

/** `host:port`, repeatable. */
export function parseAddress(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[^\s:]+:\d+$|^\[[^\]]+\]:\d+$/.test(text)) {
    throw usage(`--allow-net ${text} is not an address`, 'Write it as host:port, for example localhost:5432.')
  }
  return [...before, text]
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

export function usage(message: string, hint: string | null): StepforkError {
  return new StepforkError('USAGE', message, hint)
}

const UNIT_BYTES: { readonly [unit: string]: number } = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** `512mb`, `2g`, `800000k`, in bytes. */
export function parseSize(option: string): (text: string) => number {
  return text => {
    const match = /^(\d+(?:\.\d+)?)([kmg])b?$/i.exec(text.trim())
    if (match === null) throw usage(`${option} ${text} is not a size`, 'Write it as 512mb or 2g.')
    return Number(match[1]) * UNIT_BYTES[match[2]!.toLowerCase()]!
  }
}

/** The process's own variables, and those of a file where it sets others; what is set already stays, as with Node. */
export function environmentWith(file: string | undefined): NodeJS.ProcessEnv {
  if (file === undefined) return process.env
  const text = readOptionFile(`--env-file ${file}`, file, 'a file with lines like NAME=value')
  return { ...parseEnv(text), ...process.env }
}
