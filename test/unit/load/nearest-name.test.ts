import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestName } from '../../../src/load/nearest-name.ts'

it.each([
  ['agnet.ts', ['agent.ts', 'other.ts'], 'agent.ts'],
  ['agent.js', ['argent.js', 'agent.ts'], 'agent.ts'],
  ['Agent.ts', ['agent.ts'], 'agent.ts'],
  ['agent.ts', ['zebra.ts'], null],
  ['agent.ts', [], null],
])('the nearest name to %s in %j is %s', (wanted, names, nearest) => {
  expect(nearestName(wanted, names)).toBe(nearest)
})

it('a name with one letter left out is found again', () => {
  const word = fc.stringMatching(/^[a-z]{5,12}$/)
  fc.assert(
    fc.property(word, fc.nat(), (name, at) => {
      const cut = at % name.length
      expect(nearestName(`${name.slice(0, cut)}${name.slice(cut + 1)}.ts`, [`${name}.ts`])).toBe(`${name}.ts`)
    }),
  )
})
