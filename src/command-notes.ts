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
 * in the calls. An agent file that is given a command as its input was hardly meant.
 */
export function commandNotes(program: Program, recorded: Json, redactor: Redactor): Note[] {
  if (recorded === null) return []
  const command = commandText(recorded)
  if (program.kind === 'file') return command === null ? [] : [note(command)]
  const live = redactor.redact(runInput({ program, input: null })).value
  if (differences(recorded, live).length === 0) return []
  return [note(command ?? `an agent with the input ${writeJson(recorded)}`)]
}

function note(text: string): Note {
  return { code: 'command-differs', detail: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text }
}

function commandText(input: Json): string | null {
  if (!isJsonObject(input) || !Array.isArray(input.argv) || Object.keys(input).length > 1) return null
  return input.argv.map(word => shellQuote(String(word))).join(' ')
}
