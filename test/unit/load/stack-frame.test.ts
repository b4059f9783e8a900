import { describe, expect, it } from 'vitest'
import { parseFrame } from '../../../src/load/stack-frame.ts'

describe('a frame of a stack', () => {
  it.each([
    ['    at run (file:///a/b.mjs:1:2)', '/a/b.mjs', 'run'],
    ['    at file:///a/b.mjs:1:2', '/a/b.mjs', null],
    ['run at file:///a/b.mjs:1:2', '/a/b.mjs', 'run'],
    ['    at async Object.execute [as run] (file:///a/b.mjs:1:2)', '/a/b.mjs', 'execute'],
    ['    at async file:///a/b.mjs:1:2', '/a/b.mjs', null],
    ['    at async Promise.all (index 0)', null, null],
    ['    at new Agent (/a/b.ts:1:2)', '/a/b.ts', 'new Agent'],
    ['    at Agent.run (/a b/(c)/d.ts:1:2)', '/a b/(c)/d.ts', 'Agent.run'],
    ['    at /a b/c.ts:1:2', '/a b/c.ts', null],
    ['    at <anonymous> (/a/b.ts:1:2)', '/a/b.ts', null],
    ['    at Object.<anonymous> (/a/b.cts:1:2)', '/a/b.cts', null],
    ['    at /a/what?/#1.ts:1:2', '/a/what?/#1.ts', null],
    ['    at node:internal/timers:1:2', 'node:internal/timers', null],
    ['    at run (file:///a%20b/c.ts?tsx-namespace=1:1:2)', '/a b/c.ts', 'run'],
    ['    at eval (eval at run (file:///a/b.mjs:1:2), <anonymous>:9:9)', '/a/b.mjs', 'run'],
    ['    at C:\\a\\b.ts:1:2', 'C:\\a\\b.ts', null],
    ['Error: at the office', null, null],
    ['    at native', null, null],
    ['    at file:///a/[eval1]:1:2', null, null],
    ['    at [eval]:1:2', null, null],
  ])('%s', (text, file, name) => {
    const expected = file === null ? null : { file, line: 1, column: 2, function: name }
    expect(parseFrame(text)).toEqual(expected)
  })
})
