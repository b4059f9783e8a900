/**
 * Time stamps as the Python implementation reads and writes them. Written: `2026-12-01T02:43:51.126432Z`. Read: also
 * another offset, a space for the T, lower case, one to nine fraction digits, no seconds, and epoch numbers.
 */

const SHAPE =
  /^(\d{4})-(\d\d)-(\d\d)[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

/** Beyond this many seconds an epoch number counts milliseconds. */
const LARGEST_SECONDS = 2e10

/** Milliseconds since the epoch, with fractions; null for what is no time, or one without a zone. */
export function parseTimestamp(value: string | number): number | null {
  if (typeof value === 'number') return ofEpoch(value)
  const parts = SHAPE.exec(value)
  if (parts === null) return /^[+-]?\d+(?:\.\d+(?:[eE]\+?\d+)?)?$/.test(value) ? ofEpoch(Number(value)) : null
  const [year, month, day, hour, minute] = parts.slice(1, 6).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const second = Number(parts[6] ?? 0)
  const whole = Date.UTC(year, month - 1, day, hour, minute, second)
  const offset = offsetOf(parts)
  if (!isReal(year, month, day, hour, minute, second) || Math.abs(offset) >= 24 * 60) return null
  return whole - offset * 60_000 + Number(`0.${parts[7] ?? 0}`) * 1000
}

/** `...Z` with six fraction digits. */
export function formatTimestamp(milliseconds: number): string {
  const micros = Math.round(milliseconds * 1000)
  const whole = new Date(Math.floor(micros / 1000)).toISOString()
  return `${whole.slice(0, -1)}${String(((micros % 1000) + 1000) % 1000).padStart(3, '0')}Z`
}

function ofEpoch(value: number): number | null {
  if (!Number.isFinite(value) || Math.abs(value) > 8.64e15) return null
  return Math.abs(value) > LARGEST_SECONDS ? value : value * 1000
}

function isReal(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): boolean {
  if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12 || year === 0) return false
  return day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

/** Minutes east of Greenwich. */
function offsetOf(parts: RegExpExecArray): number {
  if (parts[8] === undefined) return 0
  const minutes = Number(parts[9]) * 60 + Number(parts[10])
  return parts[8] === '-' ? -minutes : minutes
}
