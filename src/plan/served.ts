import { parseJson } from '../json/parse-json.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import type { Bundle } from '../trace/bundle.ts'
import type { Label, MarkLine, Served, ServedBytes } from '../trace/determinism.ts'
import { bytesTold } from '../trace/spellings.ts'
import { isAtOnce } from './at-once.ts'
import type { Plan, ReadPayload } from './plan.ts'

/** What clock and chance will give again; null when the bundle does not tell. Marked bytes are read from the payloads. */
export function servedOf(
  bundle: Bundle,
  readPayload: ReadPayload,
  log: Pick<Plan, 'calls' | 'deliveries'>,
): Served | null {
  if (bundle.determinism === null) return null
  const { header, lines } = bundle.determinism
  const asPlayed = intervalsAsPlayed(log)
  const payloadOf = payloadReader(bundle, readPayload)
  return {
    seed: header.seed ?? null,
    read: lines.flatMap(line => ('read' in line ? [asPlayed(line)] : [])),
    drew: lines.flatMap(line => ('drew' in line && 'values' in line ? [asPlayed(line)] : [])),
    bytes: lines.flatMap(line =>
      'mark' in line ? knownBytes(line, textAt(payloadOf(line.call), line)) : [],
    ),
  }
}

/** Where a replay hands out head and end as one, what was asked for between the two is asked for behind both. */
function intervalsAsPlayed({ calls, deliveries }: Pick<Plan, 'calls' | 'deliveries'>) {
  const joined = new Map(
    calls
      .filter(call => call.exchange !== undefined && isAtOnce(call, deliveries))
      .map(({ parts: [head, end] }) => [head! + 1, end! + 1]),
  )
  return <L extends Label>(line: L): L => ({ ...line, interval: joined.get(line.interval) ?? line.interval })
}

/** Parsed once each: an input may hold many ids. */
function payloadReader(
  { events, origin }: Bundle,
  readPayload: ReadPayload,
): (call: number | null) => Json | undefined {
  const eventIds = new Map(origin?.log.flatMap(line => ('event' in line ? [[line.call, line.event]] : [])))
  const byId = new Map(events.map(event => [event.id, event]))
  const parsed = new Map<number | null, Json | undefined>()
  return call => {
    if (!parsed.has(call)) parsed.set(call, read(call))
    return parsed.get(call)
  }

  function read(call: number | null): Json | undefined {
    const event =
      call === null ? events.findLast(one => one.type === 'run_end') : byId.get(eventIds.get(call) ?? '')
    return event === undefined
      ? undefined
      : parseJson(readPayload(event.line, call === null ? 'output' : 'input'))
  }
}

/** Empty when the payload does not have what the mark says: it was edited. */
function textAt(payload: Json | undefined, { path, start, length }: MarkLine): string {
  let at = payload
  for (const part of path.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(name)]
    else at = at !== undefined && isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  if (typeof at === 'number') at = String(at)
  return typeof at === 'string' ? at.slice(start, start + length) : ''
}

function knownBytes({ mark, drew, interval, site, nth, from }: MarkLine, text: string): ServedBytes[] {
  const draws = new Map<number, number[]>()
  for (const told of bytesTold(mark, text, from)) {
    // A text that was edited need not be in the alphabet.
    if (!(told.value >= 0 && told.value <= 255) || nth + told.nth < 0) return []
    const known = draws.get(nth + told.nth) ?? []
    draws.set(nth + told.nth, known)
    known.push(told.at, told.value)
  }
  return [...draws].map(([draw, known]) => ({ drew, interval, site, nth: draw, known }))
}
