import type { Program } from './agent-program.ts'
import { differences } from './json/compare.ts'
import { isJsonObject, type Json } from './json/value.ts'
import { writeJson } from './json/write-json.ts'
import type { Note } from './outcome/outcome.ts'
import { runInput } from './record.ts'
import { shellQuote } from './report/shell-command.ts'
import type { Redactor } from './trace/redactor.ts'

const LONGEST = 200

/**
 * That a command is not the recorded one is said and not judged: another launcher does not matter, and another question shows
 * in the calls.
 */
export function commandNotes(program: Program, recorded: Json, redactor: Redactor): Note[] {
  if (program.kind !== 'command' || recorded === null) return []
  const live = redactor.redact(runInput({ program, input: null })).value
  if (differences(recorded, live).length === 0) return []
  const text = commandText(recorded) ?? `an agent with the input ${writeJson(recorded)}`
  return [{ code: 'command-differs', detail: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text }]
}

function commandText(input: Json): string | null {
  if (!isJsonObject(input) || !Array.isArray(input.argv)) return null
  return input.argv.map(word => shellQuote(String(word))).join(' ')
}
