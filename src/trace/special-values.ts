/**
 * The sidecar `x-values.jsonl`: values that JSON lacks, by place; the payload itself holds plain JSON, so that other readers
 * go on. Optional; described in docs/format.md.
 */
import { below, type Kind, type Mark } from '../json/mark.ts'

export interface SpecialValue {
  /** Id of the event whose payload it is. */
  readonly event: string
  readonly member: 'input' | 'output' | 'details'
  /** JSON Pointer into the payload; '' is the whole of it. */
  readonly path: string
  /** `lost`: the value had no JSON form, and a replay refuses to pass over it. */
  readonly is: Kind | 'lost'
}

/** Those of one bundle, found by event and payload. */
export interface ValuesByPlace {
  marks(event: string, member: SpecialValue['member']): readonly Mark[]
  isLost(event: string): boolean
}

export function valuesByPlace(values: readonly SpecialValue[]): ValuesByPlace {
  const marks = new Map<string, Mark[]>()
  const lost = new Set<string>()
  for (const { event, member, path, is } of values) {
    if (is === 'lost') lost.add(event)
    else listAt(marks, `${member} ${event}`).push({ path, is })
  }
  return { marks: (event, member) => marks.get(`${member} ${event}`) ?? [], isLost: event => lost.has(event) }
}

export function specialValues(
  event: string,
  member: SpecialValue['member'],
  marks: readonly Mark[] = [],
  path = '',
): SpecialValue[] {
  return below(path, marks).map(mark => ({ event, member, ...mark }))
}

function listAt(lists: Map<string, Mark[]>, key: string): Mark[] {
  const known = lists.get(key) ?? []
  lists.set(key, known)
  return known
}
