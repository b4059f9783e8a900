/**
 * The clock of this process goes through us: Date, Intl, performance.now, process.hrtime, Temporal. Timers, files and what Node does by
 * itself keep the real one, and so do we (patch.ts).
 */
import { syncBuiltinESMExports } from 'node:module'
import { patch } from '../patch.ts'
import type { Clock } from '../trace/determinism.ts'

/** What is given to the caller of `entry` in place of a real reading. */
export type ReadClock = <T extends number | bigint>(
  clock: Clock,
  now: T,
  entry: (...args: never[]) => unknown,
) => T

/** Install it before the agent is loaded. */
export function patchClock(read: ReadClock): () => void {
  const undo = [
    patchDate(read),
    patchFormat(read),
    patchPerformance(read),
    patchHrtime(read),
    ...patchTemporal(read),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo.reverse()) restore()
    syncBuiltinESMExports()
  }
}

/** All else of a date is as ever: `Date.prototype` is the same object, so `instanceof` and structuredClone see no difference. */
function patchDate(read: ReadClock): () => void {
  const Real = Date
  const realNow = Real.now
  function ServedDate(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return new Real(read('wall', realNow(), ServedDate)).toString()
    const given = args.length === 0 ? [read('wall', realNow(), ServedDate)] : args
    return Reflect.construct(Real, given, new.target === (ServedDate as unknown) ? Real : new.target)
  }
  Object.defineProperties(ServedDate, Object.getOwnPropertyDescriptors(Real) as PropertyDescriptorMap)
  const now = (): number => read('wall', realNow(), now)
  const undo = [
    patch(ServedDate as unknown as DateConstructor, 'now', () => now),
    patch(Real.prototype as { constructor: unknown }, 'constructor', () => ServedDate),
    patch(globalThis, 'Date', () => ServedDate as unknown as DateConstructor),
  ]
  return () => {
    for (const restore of undo.reverse()) restore()
  }
}

/** Formats the present moment when it is given none. */
function patchFormat(read: ReadClock): () => void {
  const realNow = Date.now
  const { prototype } = Intl.DateTimeFormat
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')!
  const formats = new WeakMap<object, Intl.DateTimeFormat['format']>()
  const formatOf = function (this: Intl.DateTimeFormat): Intl.DateTimeFormat['format'] {
    const real = format.get!.call(this) as Intl.DateTimeFormat['format']
    const known = formats.get(this)
    if (known !== undefined) return known
    const served = (date?: Date | number): string =>
      real(date === undefined ? read('wall', realNow(), served) : date)
    formats.set(this, served)
    return served
  }
  Object.defineProperty(prototype, 'format', { ...format, get: formatOf })
  const undoParts = patch(prototype, 'formatToParts', original => {
    return function formatToParts(this: Intl.DateTimeFormat, date) {
      return original.call(this, date === undefined ? read('wall', realNow(), formatToParts) : date)
    }
  })
  return () => {
    undoParts()
    Object.defineProperty(prototype, 'format', format)
  }
}

function patchPerformance(read: ReadClock): () => void {
  const realNow = performance.now.bind(performance)
  const now = (): number => read('monotone', realNow(), now)
  return patch(performance, 'now', () => now)
}

const NS = 1_000_000_000n

function patchHrtime(read: ReadClock): () => void {
  const { bigint } = process.hrtime
  const served = (): bigint => read('hrtime', bigint(), served)
  function hrtime(before?: [number, number]): [number, number] {
    const at = read('hrtime', bigint(), hrtime)
    const since = before === undefined ? at : at - (BigInt(before[0]) * NS + BigInt(before[1]))
    // As Node does it, the nanoseconds are never negative.
    const ns = ((since % NS) + NS) % NS
    return [Number((since - ns) / NS), Number(ns)]
  }
  return patch(process, 'hrtime', () => Object.assign(hrtime, { bigint: served }) as NodeJS.HRTime)
}

/** As far as it is needed; Node has it from 26 on. */
interface Temporal {
  readonly Instant: { fromEpochNanoseconds(at: bigint): Instant }
  readonly Now: { timeZoneId(): string; instant(): Instant } & {
    [name in keyof typeof PARTS_OF_NOW]: unknown
  }
}

interface Instant {
  readonly epochNanoseconds: bigint
  toZonedDateTimeISO(zone: unknown): {
    toPlainDateTime(): unknown
    toPlainDate(): unknown
    toPlainTime(): unknown
  }
}

type Zoned = ReturnType<Instant['toZonedDateTimeISO']>

const PARTS_OF_NOW = {
  zonedDateTimeISO: (now: Zoned): unknown => now,
  plainDateTimeISO: (now: Zoned): unknown => now.toPlainDateTime(),
  plainDateISO: (now: Zoned): unknown => now.toPlainDate(),
  plainTimeISO: (now: Zoned): unknown => now.toPlainTime(),
} as const

function patchTemporal(read: ReadClock): (() => void)[] {
  const { Temporal: temporal } = globalThis as { Temporal?: Temporal }
  if (temporal === undefined) return []
  const { Now: now, Instant: instants } = temporal
  const realInstant = now.instant
  const instantFor = (entry: (...args: never[]) => unknown): Instant =>
    instants.fromEpochNanoseconds(read('instant', realInstant().epochNanoseconds, entry))
  const instant = (): Instant => instantFor(instant)
  const names = Object.keys(PARTS_OF_NOW) as (keyof typeof PARTS_OF_NOW)[]
  return [
    patch(now, 'instant', () => instant),
    ...names.map(name =>
      patch(now, name, () => {
        const part = (zone: unknown = now.timeZoneId()): unknown =>
          PARTS_OF_NOW[name](instantFor(part).toZonedDateTimeISO(zone))
        return part
      }),
    ),
  ]
}
