/**
 * Times of steps: read in the spellings that grudge reads, written in its one. A time without a zone stays without one, and
 * an offset is kept, so a number of milliseconds would not do.
 */

/** The one spelling; null for what is no time (month 13, a leap second, a number that is not finite). */
export function stepTime(value: string | number): string | null {
  if (typeof value === 'number') return ofEpoch(value)
  return EPOCH.test(value) ? ofEpoch(Number(value)) : ofText(value)
}

const EPOCH = /^[+-]?\d+(?:\.\d+)?$/

/** Beyond this many seconds an epoch number counts milliseconds. */
const LARGEST_SECONDS = 2e10

function ofEpoch(value: number): string | null {
  const seconds = Math.abs(value) > LARGEST_SECONDS ? value / 1000 : value
  const whole = Math.floor(seconds)
  const micros = Math.round((seconds - whole) * 1e6)
  const date = new Date((whole + Math.floor(micros / 1e6)) * 1000)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 1) return null
  return `${date.toISOString().slice(0, 19)}${fraction(micros % 1e6)}Z`
}

const SHAPE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)?)?$/

function ofText(text: string): string | null {
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '00',
    minute = '00',
    second = '00',
    digits = '',
    zone = '',
  ] = SHAPE.exec(text) ?? []
  const offset = year === '' ? null : offsetOf(zone)
  const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  if (offset === null || !exists(whole)) return null
  return whole + fraction(Number(digits.padEnd(6, '0').slice(0, 6))) + offset
}

function offsetOf(zone: string): string | null {
  if (zone === '' || zone === 'Z' || zone === 'z') return zone.toUpperCase()
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  if (hours > 23 || minutes > 59) return null
  return hours === 0 && minutes === 0 ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
}

/** Date rolls 31 April over to May, so what does not come back as it was written does not exist. */
function exists(whole: string): boolean {
  const date = new Date(`${whole}Z`)
  return !Number.isNaN(date.getTime()) && whole >= '0001' && date.toISOString().startsWith(whole)
}

function fraction(micros: number): string {
  return micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`
}
