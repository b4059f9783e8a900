import { describe, expect, it } from 'vitest'
import type { Difference } from '../../../src/json/compare.ts'
import type { Json } from '../../../src/json/value.ts'
import { differenceLines } from '../../../src/report/difference-lines.ts'
import { layoutFor } from '../../../src/report/layout.ts'
import { type Paper, printPage } from '../../../src/report/page.ts'
import { valueText } from '../../../src/report/value-text.ts'

const PAPER: Paper = { color: false, width: 80, unicode: true }

function shown(recorded: Json, actual: Json, paper: Partial<Paper> = {}, prose = false): string {
  return differenceText({ path: '/to', change: 'changed', recorded, actual }, paper, prose)
}

function differenceText(difference: Difference, paper: Partial<Paper> = {}, prose = false): string {
  const page = { ...PAPER, ...paper }
  return printPage(differenceLines([difference], { of: 'input', prose }, layoutFor(page, false)), page)
}

describe('a value', () => {
  it('is JSON with a space after colons and commas', () => {
    const value = {
      a: [1, -0, 2.5, true, null],
      'b c': { d: 'x"y\n' },
      e: {},
      f: [],
      g: 12345678901234567890n,
    }
    expect(valueText(value, 200, PAPER)).toBe(
      '{"a": [1, 0, 2.5, true, null], "b c": {"d": "x\\"y\\n"}, "e": {}, "f": [], "g": 12345678901234567890}',
    )
  })

  it('costs no more than what is shown of it', () => {
    let looked = 0
    const list = new Proxy(
      Array.from({ length: 100_000 }, () => 'y'),
      {
        get: (items, key) => {
          looked++
          return Reflect.get(items, key)
        },
      },
    )
    expect(valueText({ text: 'x'.repeat(5_000_000), list }, 60, PAPER).length).toBeLessThan(200)
    expect(looked).toBeLessThan(200)
  })
})

describe('a difference', () => {
  it('names the type when only the type differs', () => {
    expect(shown('42', 42)).toContain('- recorded  "42" (text)\n       + live      42 (number)\n')
    expect(shown('true', true)).toContain(
      '- recorded  "true" (text)\n       + live      true (true or false)\n',
    )
    expect(shown({}, [])).toContain('- recorded  {} (object)\n       + live      [] (list)\n')
    expect(shown(42, 43)).not.toContain('(number)')
  })

  it('says absent where a member is on one side only', () => {
    expect(differenceText({ path: '/to', change: 'removed', recorded: null })).toContain(
      '- recorded  null\n       + live      (absent)\n',
    )
    expect(differenceText({ path: '', change: 'changed', recorded: 1, actual: 2 })).toContain(
      'the whole input\n',
    )
  })

  it('keeps short texts in quotes and shows a prompt as prose', () => {
    expect(shown('LIS', 'OPO')).toContain('- recorded  "LIS"\n       + live      "OPO"\n')
    expect(shown('sunny, 24 C', 'rainy, 12 C', {}, true)).toContain('- recorded  sunny, 24 C\n')
    expect(shown(' x', '', {}, true)).toContain('- recorded  " x"\n       + live      ""\n')
  })

  it('cuts a long text around the change, with carets under the changed words', () => {
    const text = (amount: string) =>
      `${'lorem ipsum '.repeat(20)}up to ${amount} EUR ${'dolor sit '.repeat(20)}end`
    const lines = shown(text('50'), text('80')).split('\n')
    expect(lines[0]).toBe('         /to, 1 word of 85')
    expect(lines[1]).toMatch(/^ {7}- recorded {2}….*up to 50 EUR.*…$/)
    expect(lines[2]).toMatch(/^ {7}\+ live {6}….*up to 80 EUR.*…$/)
    expect(lines[3]!.indexOf('^^')).toBe(lines[2]!.indexOf('80'))
    expect(lines.every(line => line.length <= 80)).toBe(true)
  })

  it('points at the right column behind wide letters, and not at all in right-to-left text', () => {
    const wide = (word: string) =>
      `日本 日本 日本 one two ${word} four five six seven eight nine ten eleven twelve`
    const lines = shown(wide('three'), wide('drei'), {}, true).split('\n')
    expect(lines[3]!.indexOf('^')).toBe(lines[2]!.indexOf('drei') + 6)
    const hebrew = (word: string) => `שלום one two ${word} four five`
    expect(shown(hebrew('three'), hebrew('drei'), {}, true)).not.toContain('^')
  })

  it('shows the lines of a text that differ', () => {
    const lines = Array.from({ length: 12 }, (_, i) => `line number ${i + 1} of the prompt`)
    const text = lines.join('\n')
    expect(shown(text, text.replace('number 3 of', 'number three of'))).toBe(`\
         /to, line 3 of 12
       - recorded  line number 3 of the prompt
       + live      line number three of the prompt
                               ^^^^^
`)
    expect(shown(text, [...lines.slice(0, 4), 'new', ...lines.slice(4)].join('\n'))).toBe(`\
         /to, line 5 of 13
       - recorded  (no such line)
       + live      new
`)
    expect(shown(text, lines.slice(0, 2).join('\n'))).toContain(
      '/to, after line 2 of 2\n       - recorded  line number 3 of the prompt\n                   line number 4',
    )
    expect(shown(text, lines.slice(0, 2).join('\n'))).toContain('                   … and 4 more lines\n')
  })

  it.each([
    ['a trailing space', 'Lisbon', 'Lisbon ', 'recorded has nothing where live has a space (U+0020)'],
    [
      'a no-break space',
      'a b',
      'a\u00a0b',
      'recorded has a space (U+0020) where live has a no-break space (U+00A0)',
    ],
    ['a zero-width space', 'ab', 'a\u200bb', 'where live has a zero-width space (U+200B)'],
    ['a byte order mark', '\ufeffab', 'ab', 'recorded has a byte order mark (U+FEFF) where live has nothing'],
    ['a last line end', 'ab\n', 'ab', 'recorded has a line end (LF) (U+000A) where live has nothing'],
    ['line ends', 'a\r\nb\r\n', 'a\nb\n', 'only line ends differ: recorded CRLF, live LF'],
    ['Unicode forms', 'caf\u00e9', 'cafe\u0301', 'recorded composed (NFC), live decomposed (NFD)'],
    ['letters that look alike', 'payload', 'p\u0430yload', 'recorded has U+0061 where live has U+0430'],
  ])('says what cannot be seen: %s', (_, recorded, live, remark) => {
    const text = shown(recorded, live, {}, true)
    expect(text.replace(/\s+/g, ' ')).toContain(remark)
    const sides = text.split('\n').filter(line => /^ {7}[-+] /.test(line))
    expect(sides[0]!.slice(19)).not.toBe(sides[1]!.slice(19))
    expect(sides.every(line => /^[ -~]+$/.test(line))).toBe(true)
  })

  it('does not call a visible difference hard to see', () => {
    expect(shown('A', '日')).not.toContain('hard to see')
    expect(shown('e', 'é')).not.toContain('hard to see')
  })

  it('shows five and counts the rest', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({
      path: `/${i}`,
      change: 'changed' as const,
      recorded: i,
      actual: -1,
    }))
    const text = printPage(
      differenceLines(many, { of: 'input', prose: false }, layoutFor(PAPER, false)),
      PAPER,
    )
    expect(text).toContain('and 4 more (--verbose for all)')
    const all = printPage(differenceLines(many, { of: 'input', prose: false }, layoutFor(PAPER, true)), PAPER)
    expect(all.match(/recorded/g)).toHaveLength(9)
  })
})
