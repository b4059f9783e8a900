import { createHmac } from 'node:crypto'
import type { Label } from '../trace/determinism.ts'

/** Fills what was drawn with the bytes that belong to a label. */
type Fill = (drawn: Uint8Array) => void

/**
 * Bytes made of a seed and the label that asks for them: the n-th draw of a label is the same in every run with this seed,
 * whatever is drawn elsewhere, and different from every other.
 */
export function createSeededBytes(seed: string): (api: string, label: Label) => Fill {
  const counts = new Map<string, number>()
  return (api, { interval, site }) => {
    const name = `${api}\n${interval}\n${site}`
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    return drawn => {
      for (let at = 0; at < drawn.length; at += 32) {
        const block = createHmac('sha256', seed).update(`${name}\n${nth}\n${at}`).digest()
        drawn.set(block.subarray(0, Math.min(32, drawn.length - at)), at)
      }
    }
  }
}
