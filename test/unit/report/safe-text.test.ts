import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safe, safeAtLineStart, safeJson } from '../../../src/report/safe-text.ts'
import { pathArgument, shellQuote } from '../../../src/report/shell-command.ts'

const UNICODE = { unicode: true }
const ASCII = { unicode: false }

describe('text of a recording', () => {
  it.each([
    ['an escape sequence', '\u001b[2Jgone', '\\u{1b}[2Jgone'],
    ['a C1 control', 'a\u009b31m', 'a\\u{9b}31m'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['a bidi override', 'abc\u202edef', 'abc\\u{202e}def'],
    ['bidi isolates', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['direction marks', '\u200e\u200f\u061c', '\\u{200e}\\u{200f}\\u{61c}'],
    ['zero-width characters', 'a\u200bb\u200dc\ufeff', 'a\\u{200b}b\\u{200d}c\\u{feff}'],
    ['line separators', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
    ['a Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
  ])('shows %s', (_, text, shown) => {
    expect(safe(text, UNICODE)).toBe(shown)
  })

  it('passes letters of all scripts, accents and emoji', () => {
    const text = 'Größe, 日本, שלום, é, 😀, ☕️, a\u00a0b'
    expect(safe(text, UNICODE)).toBe(text)
  })

  it('is ASCII where the terminal is not UTF-8: the bytes of a letter could be read as controls', () => {
    expect(safe('Größe 😀', ASCII)).toBe('Gr\\u{f6}\\u{df}e \\u{1f600}')
  })

  it('gives no command to the CI that reads the log', () => {
    expect(safe('##[group]x ##vso[task.complete]', UNICODE)).not.toMatch(/##\w*\[/)
    expect(safeAtLineStart('  ::error::x')).toBe('  \\u{3a}:error::x')
    expect(safe('a ## b #1', UNICODE)).toBe('a ## b #1')
  })

  it('has nothing hidden left, whatever it was, and stays as it is the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (text, unicode) => {
        const once = safe(text, { unicode })
        expect(once).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        expect(safe(once, { unicode })).toBe(once)
      }),
    )
  })
})

describe('a JSON text', () => {
  it('means the same after it was made safe', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.boolean(), (value, unicode) => {
        const text = safeJson(JSON.stringify(value), { unicode })
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|##\w*\[/u)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('a path in a command', () => {
  it.each([
    ['run.sftrace', 'run.sftrace'],
    ['src/agent.ts#main', 'src/agent.ts#main'],
    ['my run.sftrace', "'my run.sftrace'"],
    ["it's.sftrace", `'it'\\''s.sftrace'`],
    ['$(rm -rf ~).sftrace', "'$(rm -rf ~).sftrace'"],
    ['größe.sftrace', "'größe.sftrace'"],
    ['a\n\u202eb', "$'a\\U0000000a\\U0000202eb'"],
    ['', "''"],
    ['#x', "'#x'"],
    ['::error::x', "'::error::x'"],
  ])('is quoted: %j', (path, quoted) => {
    expect(shellQuote(path)).toBe(quoted)
  })

  it('is not taken for an option', () => {
    expect(pathArgument('-o.sftrace')).toBe('./-o.sftrace')
  })
})
