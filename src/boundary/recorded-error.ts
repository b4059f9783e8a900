/** Errors of tools and models, as they are recorded and thrown again. */
import type { RecordedError } from '../json/error-record.ts'
import { isError } from '../json/kind-of.ts'
import { below } from '../json/mark.ts'
import type { ErrorClass } from '../json/rebuild-error.ts'
import { revive } from '../json/revive.ts'
import { type Carried, carry } from '../json/snapshot.ts'
import type { Json } from '../json/value.ts'

export function recordError(thrown: unknown): RecordedError {
  if (!isError(thrown)) return recordThrown(thrown)
  const { value, marks } = carry(thrown)
  const inside = marks.slice(1)
  return { ...(value as unknown as RecordedError), ...(inside.length > 0 && { marks: inside }) }
}

/** An error that the agent's handlers take for the recorded one, or what was thrown that is none. */
export function reviveError(
  { marks = [], ...recorded }: RecordedError,
  classes: readonly ErrorClass[],
): unknown {
  const fresh = structuredClone(recorded) as unknown as Json
  if (recorded.thrown !== undefined) return (revive(fresh, marks, classes) as RecordedError).thrown
  return revive(fresh, [{ path: '', is: 'Error' }, ...marks], classes)
}

function recordThrown(thrown: unknown): RecordedError {
  const message = textOf(thrown)
  const { value, marks } = carriedOrText(thrown, message)
  const placed = below('/thrown', marks)
  return { name: 'Error', message, thrown: value, ...(placed.length > 0 && { marks: placed }) }
}

function carriedOrText(thrown: unknown, text: string): Pick<Carried, 'value' | 'marks'> {
  try {
    return carry(thrown)
  } catch {
    return { value: text, marks: [] }
  }
}

/** An object without prototype has no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}
