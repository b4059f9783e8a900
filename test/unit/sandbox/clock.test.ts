import { afterEach, describe, expect, it } from 'vitest'
import { patchClock } from '../../../src/sandbox/clock.ts'

const RealDate = Date
const AT = Date.UTC(2031, 4, 17, 9, 30, 15, 250)
let undo = (): void => {}
afterEach(() => undo())

function served(): void {
  const at = { wall: AT, monotone: 1234.5, hrtime: 5_000_000_007n }
  undo = patchClock(((clock: keyof typeof at) => at[clock]) as never)
}

describe('a patched clock', () => {
  it('is asked by all that tells the present', () => {
    served()
    const text = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' })
    expect([Date.now(), new Date().toISOString()]).toEqual([AT, '2031-05-17T09:30:15.250Z'])
    expect(Date.parse(Date())).toBe(AT - 250)
    expect([text.format(), text.format(undefined)]).toEqual(['17/05/2031', '17/05/2031'])
    expect(text.formatToParts().at(-1)).toEqual({ type: 'year', value: '2031' })
    expect(performance.now()).toBe(1234.5)
    expect([process.hrtime(), process.hrtime.bigint()]).toEqual([[5, 7], 5_000_000_007n])
    expect(process.hrtime([4, 999_999_999])).toEqual([0, 8])
  })

  it.skipIf(!('Temporal' in globalThis))('is asked by Temporal.Now, to the nanosecond', () => {
    const at = { instant: BigInt(AT) * 1_000_000n + 7n }
    undo = patchClock(((clock: keyof typeof at) => at[clock]) as never)
    const { Now } = (
      globalThis as unknown as { Temporal: { Now: { [name: string]: (zone?: string) => unknown } } }
    ).Temporal
    expect(String(Now.instant!())).toBe('2031-05-17T09:30:15.250000007Z')
    expect(String(Now.plainDateISO!('UTC'))).toBe('2031-05-17')
    expect(String(Now.plainTimeISO!('Asia/Tokyo'))).toBe('18:30:15.250000007')
    expect(String(Now.plainDateTimeISO!('UTC'))).toBe('2031-05-17T09:30:15.250000007')
    expect(String(Now.zonedDateTimeISO!('UTC'))).toBe('2031-05-17T09:30:15.250000007+00:00[UTC]')
  })

  it('leaves a date that is given as it is', () => {
    served()
    const text = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' })
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
    expect(new Date(2020, 1, 3, 4, 5).getMinutes()).toBe(5)
    expect(new Date(undefined as never).getTime()).toBeNaN()
    expect([Date.UTC(2020, 0), Date.parse('2020-01-01')]).toEqual([1577836800000, 1577836800000])
    expect([text.format(0), text.format(new Date(0))]).toEqual(['01/01/1970', '01/01/1970'])
  })

  it('is no other Date to anyone: instances, subclasses, copies, its name and length', () => {
    served()
    class Stamp extends Date {
      year(): number {
        return this.getUTCFullYear()
      }
    }
    const date = new Date()
    expect([date instanceof Date, date instanceof RealDate, new RealDate() instanceof Date]).toEqual([
      true,
      true,
      true,
    ])
    expect([date.constructor, Date.prototype === RealDate.prototype]).toEqual([Date, true])
    expect([new Stamp().year(), new Stamp() instanceof Stamp, new Stamp() instanceof Date]).toEqual([
      2031,
      true,
      true,
    ])
    expect(structuredClone(date)).toEqual(date)
    expect([Date.name, Date.length, typeof Date()]).toEqual(['Date', 7, 'string'])
    expect(Object.prototype.toString.call(date)).toBe('[object Date]')
    expect(Object.getOwnPropertyNames(Date).sort()).toEqual(Object.getOwnPropertyNames(RealDate).sort())
  })

  it('is as before when it is undone', () => {
    served()
    undo()
    undo = () => {}
    expect([Date, new Date().constructor]).toEqual([RealDate, RealDate])
    expect(Math.abs(Date.now() - AT)).toBeGreaterThan(1000)
  })
})
