/** Wherever a free call stands in a recording, and whenever it is made: nothing is out of place, and nothing waits for it. */
import { describe, expect, it } from 'vitest'
import { type Play, play } from './play.ts'

const OTHERS = ['a', 'b', 'c']

/** `a`, `b` and `c` follow each other; the free call `f` begins before the nth token and ends before the mth. */
function recordedWith(begin: number, end: number): string {
  const tokens = OTHERS.flatMap((name, at) => [
    at === 0 ? '+a@start' : `+${name}@${OTHERS[at - 1]}`,
    `-${name}`,
  ])
  const before = tokens.slice(0, begin)
  const within = tokens.slice(begin, end)
  return [...before, `+log:f${triggerAfter(before)}`, ...within, '-log:f', ...tokens.slice(end)].join(' ')
}

function triggerAfter(tokens: readonly string[]): string {
  const last = tokens.findLast(token => token.startsWith('-'))
  return last === undefined ? '@start' : `@${last.slice(1)}`
}

/** The agent makes `a`, `b` and `c` one after the other, and `f` when `made` of them have been made: all in turns of their own. */
function live(run: Play, made: number): string[] {
  const told: string[] = []
  for (const at of OTHERS.keys()) {
    if (at === made) told.push(run.call('log:f', { prompt: true }))
    told.push(run.call(OTHERS[at]!, { prompt: true }), run.turns())
  }
  if (made === OTHERS.length) told.push(run.call('log:f', { prompt: true }), run.turns())
  return told
}

const PLACES = Array.from({ length: 7 }, (_, begin) =>
  Array.from({ length: 7 - begin }, (_, more) => [begin, begin + more] as const),
).flat()

const free = { calls: { 'log:f': { order: 'any' } } } as const

describe.each(PLACES)('a free call recorded from %i to %i', (begin, end) => {
  const log = recordedWith(begin, end)

  it.each([0, 1, 2, 3])('and made after %i of the others', made => {
    const run = play(log, free)
    const told = live(run, made).join(' ')
    expect(told).not.toMatch(/too early|refuse|lend/)
    expect(run.facts).toEqual([])
    expect(told.match(/-log:f/g)).toHaveLength(1)
    expect(run.session.firstUnmade()).toBeNull()
    expect(run.session.held).toBe(0)
  })

  it('and never made', () => {
    const run = play(log, free)
    for (const name of OTHERS) {
      run.call(name, { prompt: true })
      expect(run.turns()).toBe(`-${name}`)
    }
    expect(run.facts).toEqual([])
  })
})

it('the same call, were it not free, would be out of place or hold others somewhere', () => {
  const runs = PLACES.flatMap(([begin, end]) =>
    [0, 1, 2, 3].map(made => {
      const run = play(recordedWith(begin, end))
      return { told: live(run, made).join(' '), held: run.session.held }
    }),
  )
  expect(runs.some(({ told }) => told.includes('too early'))).toBe(true)
  expect(runs.some(({ held }) => held > 0)).toBe(true)
})
