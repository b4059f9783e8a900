import { StepforkError } from '../errors.ts'
import { parseJson } from './parse-json.ts'
import type { Json } from './value.ts'

/** Parses the text of a file that the user named. Throws USAGE with the file and the place. */
export function parseJsonFile(text: string, path: string): Json {
  try {
    return parseJson(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StepforkError('USAGE', `${path} is not JSON: ${reason}`, null, { cause })
  }
}
