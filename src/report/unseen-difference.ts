/** Differences that the eye cannot see, named: another kind of space, line ends, Unicode forms, look-alike letters. */
import { changedPart } from './changed-part.ts'

const NAMES: Readonly<Record<number, string>> = {
  9: 'a tab',
  10: 'a line end (LF)',
  13: 'a carriage return',
  32: 'a space',
  160: 'a no-break space',
  173: 'a soft hyphen',
  8203: 'a zero-width space',
  8204: 'a zero-width non-joiner',
  8205: 'a zero-width joiner',
  8239: 'a narrow no-break space',
  65279: 'a byte order mark',
}

/** Letters on both sides of the change that are looked at with it: an accent belongs to the letter before it. */
const AROUND = 16

/** A sentence that says what differs; null when it can be seen. */
export function unseenDifference(recorded: string, live: string): string | null {
  const part = changedPart(recorded, live)
  const [before, after] = [part.before.slice(-AROUND), part.after.slice(0, AROUND)]
  return namedDifference(before + part.recorded + after, before + part.live + after)
}

function namedDifference(recorded: string, live: string): string | null {
  if (recorded.replaceAll('\r\n', '\n') === live.replaceAll('\r\n', '\n')) {
    return `only line ends differ: recorded ${lineEnds(recorded)}, live ${lineEnds(live)}`
  }
  if (recorded.normalize('NFC') === live.normalize('NFC')) {
    return `the same letters in another Unicode form: recorded ${form(recorded)}, live ${form(live)}`
  }
  const part = changedPart(recorded, live)
  if (look(recorded) !== look(live) && !lookAlike(part.recorded, part.live)) return null
  return `hard to see: recorded has ${named(part.recorded)} where live has ${named(part.live)}`
}

function lineEnds(text: string): string {
  const windows = text.match(/\r\n/g)?.length ?? 0
  if (windows === 0) return 'LF'
  return windows === text.match(/\n/g)?.length ? 'CRLF' : 'CRLF and LF'
}

function form(text: string): string {
  if (text === text.normalize('NFC')) return 'composed (NFC)'
  return text === text.normalize('NFD') ? 'decomposed (NFD)' : 'mixed'
}

/** The text as the eye sees it. */
function look(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Zs}\t]/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .trimEnd()
}

/** One Latin letter against one of a script that has the same shapes, such as a and Cyrillic а. */
function lookAlike(one: string, other: string): boolean {
  return (isLatin(one) && hasLatinShapes(other)) || (isLatin(other) && hasLatinShapes(one))
}

function isLatin(text: string): boolean {
  return /^[a-z]$/i.test(text)
}

function hasLatinShapes(text: string): boolean {
  return /^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\uff21-\uff5a]$/u.test(
    text,
  )
}

function named(text: string): string {
  if (text === '') return 'nothing'
  const points = [...text].map(one => one.codePointAt(0)!)
  const shown = points.slice(0, 3).map(name)
  return points.length > 3 ? `${shown.join(', ')} and ${points.length - 3} more` : shown.join(', ')
}

function name(code: number): string {
  const written = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return NAMES[code] === undefined ? written : `${NAMES[code]} (${written})`
}
