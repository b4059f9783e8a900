/** Law: where drawn bytes are found in a text, the text tells those bytes again. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMarkFinder } from '../../../src/sandbox/find-marks.ts'
import { bytesTold } from '../../../src/trace/spellings.ts'

const label = { interval: 0, site: 'run' }

const SPELLINGS: { readonly [name: string]: (bytes: Buffer) => string } = {
  hex: bytes => bytes.toString('hex'),
  'upper case': bytes => bytes.toString('hex').toUpperCase(),
  uuid: bytes => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  base64: bytes => bytes.toString('base64').replace(/=+$/, ''),
  base64url: bytes => bytes.toString('base64url'),
  'first 8': bytes => bytes.toString('hex').slice(0, 8),
  'first 13': bytes => bytes.toString('hex').slice(0, 13),
  'last 8': bytes => bytes.toString('hex').slice(-8),
}

describe('drawn bytes are found in what is sent', () => {
  for (const [name, spell] of Object.entries(SPELLINGS)) {
    it(`as ${name}, alone, behind a prefix and in a sentence`, () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ minLength: 16, maxLength: 16 }),
          fc.constantFrom('', 'id_', 'see '),
          (drawn, before) => {
            const bytes = Buffer.from(drawn)
            const text = spell(bytes)
            fc.pre(/[0-9]/.test(text))
            const finder = createMarkFinder()
            finder.drew('randomBytes 16', label)(bytes)
            const sent = `${before}${text}.`
            const [mark] = finder.marks(3, { messages: [{ content: sent }] })
            expect(mark).toMatchObject({
              call: 3,
              path: '/messages/0/content',
              nth: 0,
              drew: 'randomBytes 16',
            })
            for (const { at, value } of bytesTold(
              mark!.mark,
              sent.slice(mark!.start, mark!.start + mark!.length),
              mark!.from,
            ))
              expect(value & maskOf(name, at)).toBe(bytes[at]! & maskOf(name, at))
          },
        ),
      )
    })
  }

  it('a random text is no mark', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.base64String({ minLength: 20 }),
        (drawn, text) => {
          const finder = createMarkFinder()
          finder.drew('randomBytes 16', label)(drawn)
          fc.pre(!text.includes(Buffer.from(drawn).toString('base64').slice(0, 8)))
          fc.pre(drawn.some(byte => byte > 9))
          expect(finder.marks(1, text)).toEqual([])
        },
      ),
    )
  })

  it('once, and again only where more of it stands', () => {
    const finder = createMarkFinder()
    const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
    finder.drew('randomUUID', label)(bytes)
    const lengths = ['00112233', '00112233', '00112233-4455', '00112233'].map(
      (text, i) => finder.marks(i + 1, text)[0]?.length,
    )
    expect(lengths).toEqual([8, undefined, 13, undefined])
  })

  it('not behind the time in an id of version 7: there the drawn part is marked', () => {
    const finder = createMarkFinder()
    const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
    finder.drew('randomBytes 16', label)(bytes)
    const [mark] = finder.marks(1, '01a23192-99e0-7677-9899-aabbccddeeff')
    expect(mark).toMatchObject({ start: 14, length: 22, from: 6 })
  })
})

/** Of the last byte of a piece only the first half may be there. */
function maskOf(name: string, at: number): number {
  return name === 'first 13' && at === 6 ? 0xf0 : 0xff
}
