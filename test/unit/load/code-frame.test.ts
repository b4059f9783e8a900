import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeFrame } from '../../../src/load/code-frame.ts'

describe('a code frame', () => {
  it('shows the line with a caret, and a line before and after', () => {
    const code = [...Array(12).fill(''), 'const tools = {', "  refund: () => shop('POST'),", '}'].join('\n')
    expect(codeFrame(code, 14, 17)).toEqual([
      '  13 | const tools = {',
      "> 14 |   refund: () => shop('POST'),",
      '     |                 ^',
      '  15 | }',
    ])
  })

  it('aligns numbers of different width', () => {
    const code = Array.from({ length: 10 }, (_, index) => `line${index + 1}`).join('\n')
    expect(codeFrame(code, 9, 1)).toEqual(['   8 | line8', '>  9 | line9', '     | ^', '  10 | line10'])
  })

  it('leaves out neighbours that are blank or not there', () => {
    expect(codeFrame('only', 1, 3)).toEqual(['> 1 | only', '    |   ^'])
    expect(codeFrame('\nmiddle\n\n', 2, 1)).toEqual(['> 2 | middle', '    | ^'])
  })

  it('is empty for a line that is not there', () => {
    expect(codeFrame('a', 2, 1)).toEqual([])
    expect(codeFrame('a', 0, 1)).toEqual([])
  })

  it('cuts a long line at its end while the column is near its beginning', () => {
    const [line, caret] = codeFrame(`await call(${'x'.repeat(200)})`, 1, 7)
    expect(line).toBe(`> 1 | await call(${'x'.repeat(50)}…`)
    expect(caret).toBe('    |       ^')
  })

  it('cuts a long line on both sides around a far column', () => {
    const [line, caret] = codeFrame(`${'a'.repeat(100)}TARGET${'b'.repeat(100)}`, 1, 101)
    expect(line).toMatch(/^> 1 \| …a+TARGETb+…$/)
    expect(caret!.indexOf('^')).toBe(line!.indexOf('TARGET'))
  })

  it('puts the caret under the character behind tabs and wide characters', () => {
    expect(codeFrame('\tx()', 1, 2)).toEqual(['> 1 |  x()', '    |  ^'])
    expect(codeFrame("f('日本', x)", 1, 9)).toEqual(["> 1 | f('日本', x)", '    |           ^'])
    expect(codeFrame('\u{1f600}x', 1, 3)).toEqual(['> 1 | \u{1f600}x', '    |   ^'])
  })

  it('fits a report of 80 columns and points at the right character, for any line', () => {
    const line = fc.string({ minLength: 1, maxLength: 300 }).filter(text => !/[\t\r\n\s]/.test(text))
    fc.assert(
      fc.property(line, fc.nat(), (text, at) => {
        const column = (at % text.length) + 1
        const [shown, caret] = codeFrame(text, 1, column)
        expect(shown!.length).toBeLessThanOrEqual(71)
        expect(shown![caret!.indexOf('^')]).toBe(text[column - 1])
      }),
    )
  })
})
