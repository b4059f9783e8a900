/** Where two texts differ: what stands before and after the change is the same in both. */

export interface ChangedPart {
  readonly before: string
  readonly recorded: string
  readonly live: string
  readonly after: string
}

const WORD_START = /[\p{L}\p{N}\p{M}_]*$/u
const WORD_END = /^[\p{L}\p{N}\p{M}_]*/u

/** The change, widened to whole words, so that `50` against `80` is shown and not `5` against `8`. */
export function changedWords(recorded: string, live: string): ChangedPart {
  const part = changedPart(recorded, live)
  const head = WORD_START.exec(part.before.slice(-40))![0]
  const tail = WORD_END.exec(part.after.slice(0, 40))![0]
  return {
    before: part.before.slice(0, part.before.length - head.length),
    recorded: head + part.recorded + tail,
    live: head + part.live + tail,
    after: part.after.slice(tail.length),
  }
}

/** The smallest change, in whole code points. */
export function changedPart(recorded: string, live: string): ChangedPart {
  const start = commonStart(recorded, live)
  const end = commonEnd(recorded, live, Math.min(recorded.length, live.length) - start)
  return {
    before: recorded.slice(0, start),
    recorded: recorded.slice(start, recorded.length - end),
    live: live.slice(start, live.length - end),
    after: recorded.slice(recorded.length - end),
  }
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return isHigh(a.charCodeAt(length - 1)) ? length - 1 : length
}

function commonEnd(a: string, b: string, most: number): number {
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return isLow(a.charCodeAt(a.length - length)) && length > 0 ? length - 1 : length
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** `1 word of 19`: how much of the live text changed; null where that says nothing, as for a text that is wholly other. */
export function changedShare(part: ChangedPart): string | null {
  const changed = Math.max(wordCount(part.recorded), wordCount(part.live))
  const total = wordCount(part.before + part.live + part.after)
  if (total < 5 || changed === 0 || changed * 2 > total) return null
  return `${changed} ${changed === 1 ? 'word' : 'words'} of ${total}`
}

function wordCount(text: string): number {
  let count = 0
  for (const _ of text.matchAll(/\S+/g)) count++
  return count
}
