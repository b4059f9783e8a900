/** Hex digits as 32-bit words: ids and digests of a long run held as bytes instead of strings. */

/**
 * Reads `count` words of eight lower case hex digits each out of `text` into `words`. False, and `words` partly
 * written, when there are other characters.
 */
export function readHex(text: string, start: number, words: Uint32Array, at: number, count: number): boolean {
  for (let word = 0; word < count; word++) {
    const value = hexWord(text, start + word * 8)
    if (value === -1) return false
    words[at + word] = value
  }
  return true
}

/** The digits of `count` words. */
export function hexText(words: Uint32Array, at: number, count: number): string {
  let text = ''
  for (let word = at; word < at + count; word++) text += words[word]!.toString(16).padStart(8, '0')
  return text
}

/** -1 for anything but eight digits. */
function hexWord(text: string, start: number): number {
  let value = 0
  for (let at = start; at < start + 8; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 48 && unit <= 57) value = value * 16 + unit - 48
    else if (unit >= 97 && unit <= 102) value = value * 16 + unit - 87
    else return -1
  }
  return value
}
