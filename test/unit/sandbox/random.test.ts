import crypto, { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Chance, patchRandom } from '../../../src/sandbox/random.ts'

const asked: string[] = []
const chance: Chance = {
  number: api => {
    asked.push(api)
    return () => 7
  },
  bytes: api => {
    asked.push(api)
    return bytes => bytes.fill(0xab)
  },
}
let undo = (): void => {}
beforeEach(() => {
  asked.length = 0
  undo = patchRandom(chance)
})
afterEach(() => undo())

describe('patched chance', () => {
  it('is asked by all that draws, once each', async () => {
    expect([Math.random(), randomInt(1, 9), randomInt(9)]).toEqual([7, 7, 7])
    expect(
      await promisify(randomInt as (most: number, done: (error: unknown, n: number) => void) => void)(9),
    ).toBe(7)
    const ab = 'ab'.repeat(4)
    expect(randomBytes(4).toString('hex')).toBe(ab)
    expect((await promisify(randomBytes)(4)).toString('hex')).toBe(ab)
    expect(randomFillSync(Buffer.alloc(4)).toString('hex')).toBe(ab)
    expect(Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex')).toBe(ab)
    expect(Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(4))).toString('hex')).toBe(ab)
    expect(asked).toEqual([
      ...['Math.random', 'randomInt 1 9', 'randomInt 9', 'randomInt 9', 'randomBytes 4', 'randomBytes 4'],
      ...['randomFill 4', 'getRandomValues 4', 'getRandomValues 4'],
    ])
  })

  it('gives a UUID of its version', () => {
    const uuid = 'abababab-abab-4bab-abab-abababababab'
    expect([randomUUID(), crypto.randomUUID(), globalThis.crypto.randomUUID()]).toEqual([uuid, uuid, uuid])
  })

  it('fills the asked part of a buffer, counted in elements, and leaves the rest', async () => {
    expect([...randomFillSync(new Uint8Array(5), 1, 2)]).toEqual([0, 0xab, 0xab, 0, 0])
    expect([...randomFillSync(new Uint16Array(3), 1)]).toEqual([0, 0xabab, 0xabab])
    expect([...new Uint8Array(randomFillSync(new ArrayBuffer(2) as never))]).toEqual([0xab, 0xab])
    const later = new Promise(done =>
      randomFill(new Uint8Array(3), 2, (_, bytes: Uint8Array) => done([...bytes])),
    )
    expect(await later).toEqual([0, 0, 0xab])
  })

  it('refuses what Node refuses', () => {
    expect(() => randomBytes(-1)).toThrow(RangeError)
    expect(() => randomInt(5, 1)).toThrow(RangeError)
    expect(() => crypto.getRandomValues(new Float32Array(1) as never)).toThrow()
    expect(() => randomFillSync('text' as never)).toThrow(TypeError)
  })
})
