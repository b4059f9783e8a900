import { alignItems } from './align-items.ts'
import { isMarkName, markedValue } from './marked.ts'
import { jsonInText } from './parse-json.ts'
import { pointer } from './pointer.ts'
import { isJsonObject, type Json, type JsonObject } from './value.ts'

/** One place at which two values differ. */
export interface Difference {
  /** JSON Pointer into the input or output; '' is the whole value. */
  readonly path: string
  readonly change: 'changed' | 'added' | 'removed' | 'moved'
  /** Absent when the member is not there on that side. */
  readonly recorded?: Json
  readonly actual?: Json
}

/**
 * True when a live value is, without any conversion, the recorded JSON value: plain objects and lists only, key order
 * free, numbers by value (-0 is 0; a recorded integer beyond 2^53 equals the nearest double, but only exactly a
 * bigint), undefined members absent. False for everything else, also for what `snapshot` would turn into an equal
 * value (a Date): the caller then goes the slow way. Allocates nothing, as it runs on every replayed call.
 */
export function sameJson(recorded: Json, live: unknown): boolean {
  if (recorded === live) return true
  if (typeof recorded !== 'object' || recorded === null) return sameNumber(recorded, live)
  if (typeof live !== 'object' || live === null) return false
  return Array.isArray(recorded) ? sameItems(recorded, live) : sameMembers(recorded as JsonObject, live)
}

function sameNumber(recorded: Json, live: unknown): boolean {
  if (typeof recorded === 'bigint') return typeof live === 'number' && Number(recorded) === live
  if (typeof recorded !== 'number' || typeof live !== 'bigint') return false
  return Number.isInteger(recorded) && BigInt(recorded) === live
}

function sameItems(recorded: readonly Json[], live: object): boolean {
  if (!Array.isArray(live) || live.length !== recorded.length) return false
  if (Object.getPrototypeOf(live) !== Array.prototype) return false
  for (let at = 0; at < recorded.length; at++) {
    if (!sameJson(recorded[at]!, live[at])) return false
  }
  return true
}

function sameMembers(recorded: JsonObject, live: object): boolean {
  const prototype = Object.getPrototypeOf(live)
  if (prototype !== Object.prototype && prototype !== null) return false
  let surplus = 0
  for (const key in recorded) {
    // Without hasOwn a recorded `__proto__` would be compared with what every object inherits.
    if (!hasOwn.call(live, key) || !sameJson(recorded[key]!, (live as LiveObject)[key])) return false
    surplus--
  }
  for (const key in live) {
    if ((live as LiveObject)[key] !== undefined && hasOwn.call(live, key)) surplus++
  }
  return surplus === 0
}

/** V8 compiles this form inside for-in to a look at the shape; Object.hasOwn of Node 20 is a third slower. */
const hasOwn = Object.prototype.hasOwnProperty

interface LiveObject {
  readonly [key: string]: unknown
}

export interface CompareOptions {
  /** Two strings that are JSON objects or lists count as equal when they are equal as JSON. */
  readonly jsonTexts?: boolean
}

/**
 * All places at which two values differ, in document order: leaves that changed, and members or items that are on one
 * side only (one entry each, at the member). Members that only `live` has come after the recorded ones. Items are
 * compared by index, but an insertion or a removal is told as such when that makes the list of differences shorter;
 * the path of an added item counts in the live list, all other paths in the recorded one. Empty exactly when
 * `sameJson` (without `jsonTexts`).
 */
export function differences(recorded: Json, live: Json, options: CompareOptions = {}): Difference[] {
  const comparison: Comparison = { parts: [], found: [], jsonTexts: options.jsonTexts === true }
  compare(recorded, live, comparison)
  return comparison.found
}

interface Comparison {
  /** Where the comparison stands. */
  readonly parts: (string | number)[]
  readonly found: Difference[]
  readonly jsonTexts: boolean
}

type Sides =
  | { readonly recorded: Json }
  | { readonly actual: Json }
  | { readonly recorded: Json; readonly actual: Json }

function compare(recorded: Json, live: Json, comparison: Comparison): void {
  if (isList(recorded) && isList(live)) compareItems(recorded, live, comparison)
  else if (isJsonObject(recorded) && isJsonObject(live) && sameKind(recorded, live))
    compareMembers(recorded, live, comparison)
  else if (recorded !== live && !sameNumber(recorded, live) && !isSameText(recorded, live, comparison)) {
    report(comparison, 'changed', { recorded, actual: live })
  }
}

/** A Date and a RegExp have no member in common, but differ as a whole. */
function sameKind(recorded: Json, live: Json): boolean {
  return markedValue(recorded)?.is === markedValue(live)?.is
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function compareMembers(recorded: JsonObject, live: JsonObject, comparison: Comparison): void {
  for (const key of Object.keys(recorded)) {
    if (has(live, key)) compareAt(key, recorded[key]!, live[key]!, comparison)
    else reportAt(key, comparison, 'removed', { recorded: recorded[key]! })
  }
  for (const key of Object.keys(live)) {
    if (has(live, key) && !has(recorded, key)) reportAt(key, comparison, 'added', { actual: live[key]! })
  }
}

function compareItems(recorded: readonly Json[], live: readonly Json[], comparison: Comparison): void {
  for (const [at, liveAt] of alignItems(recorded, live, (one, other) => isSame(one, other, comparison))) {
    if (at === null) reportAt(liveAt!, comparison, 'added', { actual: live[liveAt!]! })
    else if (liveAt === null) reportAt(at, comparison, 'removed', { recorded: recorded[at]! })
    else compareAt(at, recorded[at]!, live[liveAt]!, comparison)
  }
}

function compareAt(part: string | number, recorded: Json, live: Json, comparison: Comparison): void {
  // Paths are those of the plain value.
  const isShown = !isMarkName(part)
  if (isShown) comparison.parts.push(part)
  compare(recorded, live, comparison)
  if (isShown) comparison.parts.pop()
}

function reportAt(part: string | number, to: Comparison, change: Difference['change'], sides: Sides): void {
  to.parts.push(part)
  report(to, change, sides)
  to.parts.pop()
}

function report(to: Comparison, change: Difference['change'], sides: Sides): void {
  to.found.push({ path: pointer(to.parts), change, ...sides })
}

function isSame(recorded: Json, live: Json, { jsonTexts }: Comparison): boolean {
  if (sameJson(recorded, live)) return true
  return jsonTexts && differences(recorded, live, { jsonTexts }).length === 0
}

function isSameText(recorded: Json, live: Json, { jsonTexts }: Comparison): boolean {
  if (!jsonTexts || typeof recorded !== 'string' || typeof live !== 'string') return false
  const [then, now] = [jsonInText(recorded), jsonInText(live)]
  if (then === undefined || now === undefined) return false
  return differences(then, now, { jsonTexts }).length === 0
}

function has(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined
}
