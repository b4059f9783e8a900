import type { Mark } from '../json/mark.ts'
import { parseJson } from '../json/parse-json.ts'
import type { ErrorClass } from '../json/rebuild-error.ts'
import { revive } from '../json/revive.ts'
import type { Slice } from '../trace/bundle.ts'
import type { PayloadSource } from './live-input.ts'

/** A recorded payload as the value it was, fresh each time. */
export function recordedValue(
  payloads: PayloadSource,
  line: Slice,
  member: 'input' | 'output',
  marks: readonly Mark[] | undefined,
  classes: readonly ErrorClass[] = [],
): unknown {
  if (marks === undefined) return payloads.field(line, member)
  return revive(parseJson(payloads.rawField(line, member)), marks, classes)
}
