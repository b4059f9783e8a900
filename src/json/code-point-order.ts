/**
 * Compares two strings by Unicode code point, the order in which Python sorts keys. JavaScript's own order is by
 * UTF-16 unit, which puts the surrogates of U+10000 and above before U+E000 to U+FFFF.
 */
export function codePointOrder(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Sorts keys in place. The native sort is much faster and right unless a surrogate is among them. */
export function sortKeys(keys: string[]): string[] {
  for (let at = 1; at < keys.length; at++) {
    if (keys[at - 1]! > keys[at]!) {
      keys.sort()
      break
    }
  }
  return keys.some(hasSurrogate) ? keys.sort(codePointOrder) : keys
}

/** Lifts surrogates above every other unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

function hasSurrogate(key: string): boolean {
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xe000) return true
  }
  return false
}
