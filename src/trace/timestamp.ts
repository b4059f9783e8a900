/**
 * Time stamps as the Python implementation reads and writes them. Written: `2026-12-01T02:43:51.126432Z`. Read: also
 * another offset, a space for the T, lower case, one to nine fraction digits, no seconds, and epoch numbers.
 */

/** Milliseconds since the epoch, with fractions; null for what is no time, or one without a zone. */
export function parseTimestamp(value: string | number): number | null {
  if (typeof value === 'number') return ofEpoch(value)
  return asWritten(value) ?? ofShape(value) ?? (EPOCH.test(value) ? ofEpoch(Number(value)) : null)
}

/** `...Z` with six fraction digits. */
export function formatTimestamp(milliseconds: number): string {
  const micros = Math.round(milliseconds * 1000)
  const rest = ((micros % 1000) + 1000) % 1000
  // Divided with its rest, a time far from now may be rounded up to the next millisecond, and without it down.
  const whole = new Date(Math.round((micros - rest) / 1000)).toISOString()
  return `${whole.slice(0, -1)}${String(rest).padStart(3, '0')}Z`
}

const EPOCH = /^[+-]?\d+(?:\.\d+(?:[eE]\+?\d+)?)?$/

/** Beyond this many seconds an epoch number counts milliseconds. */
const LARGEST_SECONDS = 2e10

function ofEpoch(value: number): number | null {
  if (!Number.isFinite(value) || Math.abs(value) > 8.64e15) return null
  return Math.abs(value) > LARGEST_SECONDS ? value : value * 1000
}

const WRITTEN = '0000-00-00T00:00:00'

/** The form in which nearly all come: read by place, as a pattern for each event would cost more than its JSON. */
function asWritten(text: string): number | null {
  const hasFraction = text.length === 27 && text.charCodeAt(19) === 46
  if (!text.endsWith('Z') || !(text.length === 20 || hasFraction)) return null
  for (let at = 0; at < 19; at++) {
    const separator = WRITTEN.charCodeAt(at)
    if (separator === 48 ? !isDigit(text.charCodeAt(at)) : text.charCodeAt(at) !== separator) return null
  }
  const fraction = hasFraction ? digits(text, 20, 26) / 1000 : 0
  const whole = utc(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10), {
    hour: digits(text, 11, 13),
    minute: digits(text, 14, 16),
    second: digits(text, 17, 19),
  })
  return whole === null || Number.isNaN(fraction) ? null : whole + fraction
}

function digits(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    value = isDigit(unit) ? value * 10 + unit - 48 : Number.NaN
  }
  return value
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

const SHAPE =
  /^(\d{4})-(\d\d)-(\d\d)[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

function ofShape(text: string): number | null {
  const parts = SHAPE.exec(text)
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(part => Number(part ?? 0)) as Six
  const offset = (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0)) * (parts[8] === '-' ? -1 : 1)
  const whole = utc(year, month, day, { hour, minute, second })
  if (whole === null || Math.abs(offset) >= 24 * 60) return null
  return whole - offset * 60_000 + Number(`0.${parts[7] ?? 0}`) * 1000
}

type Six = [number, number, number, number, number, number]

interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Null for a day or an hour that does not exist; Date.UTC would pass over to the next. */
function utc(year: number, month: number, day: number, { hour, minute, second }: Clock): number | null {
  if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12 || year < 1) return null
  if (day < 1 || day > DAYS[month - 1]! || (month === 2 && day === 29 && !isLeap(year))) return null
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) - MS_IN_400_YEARS
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MS_IN_400_YEARS = 146_097 * 86_400_000

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
