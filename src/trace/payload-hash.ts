import { canonicalText } from '../json/canonical-text.ts'
import { canonicalValue } from '../json/canonical-value.ts'
import { digest } from '../json/digest.ts'
import { rawMember } from '../json/read-json.ts'
import type { EventType } from './bundle.ts'
import { HASHED, type PayloadName } from './event.ts'
import type { Issue } from './issue.ts'

/** What the check needs of an event as read. */
export interface HashedEvent {
  readonly id: string
  readonly step: number
  readonly type: EventType
  readonly input_hash: string | null
  readonly output_hash: string | null
  readonly [member: string]: unknown
}

/** Compares the payloads of one event after the other with their hashes. */
export type PayloadCheck = (event: HashedEvent, line: string) => Issue[]

/**
 * A check for the events of one bundle; `line` is the event's JSON text. A missing hash is an issue, and so is one in a
 * field that the event's type does not use.
 */
export function payloadCheck(): PayloadCheck {
  const bundle: BundleHabit = { isSorted: true }
  return (event, line) => {
    const { input, output } = HASHED[event.type]
    return [
      ...fieldIssues(event, 'input_hash', input, line, bundle),
      ...fieldIssues(event, 'output_hash', output, line, bundle),
    ]
  }
}

interface BundleHabit {
  /** The payloads seen so far stand in canonical form, as Python writes most. */
  isSorted: boolean
}

type HashField = 'input_hash' | 'output_hash'

function fieldIssues(
  event: HashedEvent,
  field: HashField,
  name: PayloadName | undefined,
  line: string,
  bundle: BundleHabit,
): Issue[] {
  const recorded = event[field]
  if (name === undefined || event[name] === undefined) {
    return recorded === null ? [] : [issueOf(event, field, 'has a hash of a payload that it does not have')]
  }
  if (recorded === null) {
    return [{ ...issueOf(event, field, `has no hash of its ${name}`), code: 'integrity_unverified' }]
  }
  if (hasHash(event[name], name, line, recorded, bundle)) return []
  return [issueOf(event, field, `has another ${name} than the one that was hashed`)]
}

/**
 * Three ways to the same answer, cheapest first. The Python implementation writes payloads canonically but for a few
 * numbers, so the bytes as they stand are tried; other writers keep the order of members, so the parsed value is; only
 * what JavaScript cannot hold (1.0, integers beyond 2^53), and what was altered, is read token by token.
 */
function hasHash(
  payload: unknown,
  name: PayloadName,
  line: string,
  recorded: string,
  bundle: BundleHabit,
): boolean {
  const standing = lastMember(line, name)
  if (bundle.isSorted && standing !== null && digest(standing) === recorded) return true
  try {
    if (standing === null || LOSES_SPELLING.test(standing)) {
      return digest(canonicalText(rawMember(line, name) ?? 'null')) === recorded
    }
    bundle.isSorted = false
    return digest(canonicalValue(payload)) === recorded
  } catch {
    // A payload without canonical form (a lone surrogate, 1e400) has no hash that could be right.
    return false
  }
}

/**
 * Numbers after which the value that JavaScript holds is not the one that was written: 1.0, exponents, 16 digits. Inside
 * a string such a spelling only costs time.
 */
const LOSES_SPELLING = /(?:^|[:,[\s])-?(?:\d+\.\d*0(?!\d)|[\d.]+[eE]|\d{16})/

/** The text of a member that stands last in its line, as payloads do; inside a string no quote stands unescaped. */
function lastMember(line: string, name: PayloadName): string | null {
  const label = `,"${name}":`
  const at = line.indexOf(label)
  return at === -1 || !line.endsWith('}') ? null : line.slice(at + label.length, -1)
}

function issueOf(event: HashedEvent, field: HashField, what: string): Issue {
  return {
    code: 'payload_hash_mismatch',
    message: `event ${event.id} ${what}`,
    event_id: event.id,
    step: event.step,
    location: `events.jsonl:${field}`,
  }
}
