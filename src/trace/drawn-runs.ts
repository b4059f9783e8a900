/**
 * Where in a text a key may stand: unbroken runs of the characters of which keys are made, too long or too odd for words of a
 * language. By character codes, because every text of every call is looked through, and nearly all hold none.
 */

/** [from, to) of each run, in order. */
export function drawnRuns(text: string): (readonly [from: number, to: number])[] {
  const runs: (readonly [number, number])[] = []
  let from = 0
  let letters = 0
  let mostLetters = 0
  let isOdd = false
  let before = OTHER
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const kind = code < 128 ? KINDS[code]! : OTHER
    if (kind === OTHER) {
      if (at - from >= SHORTEST_KEY && (isOdd || mostLetters >= LONGEST_WORD)) runs.push([from, at])
      from = at + 1
      isOdd = false
      mostLetters = 0
    } else if (kind === DIGIT || (kind === CAPITAL && before === SMALL)) isOdd = true
    letters = kind === SMALL || kind === CAPITAL ? letters + 1 : 0
    if (letters > mostLetters) mostLetters = letters
    before = kind
  }
  return runs
}

/** `sk-` and eight characters. */
const SHORTEST_KEY = 11
/** More letters in a row than words have. */
const LONGEST_WORD = 18

const OTHER = 0
const SMALL = 1
const CAPITAL = 2
const DIGIT = 3
const SIGN = 4

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)))

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return SMALL
  if (/[A-Z]/.test(character)) return CAPITAL
  if (/[0-9]/.test(character)) return DIGIT
  return /[-_.~+/=:]/.test(character) ? SIGN : OTHER
}
