/** Two texts on one line each, cut around the place where they differ, so that the change is always on the screen. */
import { type ChangedPart, changedShare } from './changed-part.ts'
import { cutEnd, cutStart, displayWidth } from './display-width.ts'
import type { Marks } from './marks.ts'

export interface Cutting {
  readonly width: number
  readonly marks: Marks
  /** Raw text to printable text. */
  readonly form: (text: string) => string
  /** `"` for a JSON string, nothing for prose. */
  readonly quote: '"' | ''
}

export interface Around {
  readonly recorded: string
  readonly live: string
  /** Carets under the changed words of the live text; null where they would say nothing, or stand in the wrong place. */
  readonly carets: string | null
}

/** Share of the free columns that the text before the change may take when there is much on both sides. */
const BEFORE = 0.45

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

export function aroundChange(part: ChangedPart, cutting: Cutting): Around {
  const { width, marks, form, quote } = cutting
  const recorded = form(part.recorded.slice(0, width))
  const live = form(part.live.slice(0, width))
  const before = quote + form(part.before.slice(-2 * width))
  const after = form(part.after.slice(0, 2 * width)) + quote
  const room = Math.max(0, width - Math.max(displayWidth(recorded), displayWidth(live)))
  const head = wholeWords(cutStart(before, roomBefore(before, after, room), marks.cut), marks.cut)
  return {
    recorded: cutEnd(head + recorded + after, width, marks.cut),
    live: cutEnd(head + live + after, width, marks.cut),
    carets: changedShare(part) === null ? null : caretsUnder(head, live, width),
  }
}

/** A text that was cut inside a word starts with the next one. */
function wholeWords(head: string, cut: string): string {
  if (!head.startsWith(cut)) return head
  const [first, ...others] = head.slice(cut.length).split(' ')
  return others.join('') === '' || first!.length > 12 ? head : cut + others.join(' ')
}

function roomBefore(before: string, after: string, room: number): number {
  const least = Math.min(displayWidth(before), Math.floor(room * BEFORE))
  return room - Math.min(displayWidth(after), room - least)
}

/** A terminal may draw right-to-left letters in another order: then no column can be pointed at. */
function caretsUnder(head: string, live: string, width: number): string | null {
  if (live === '' || RIGHT_TO_LEFT.test(head + live)) return null
  const start = displayWidth(head)
  return ' '.repeat(start) + '^'.repeat(Math.max(1, Math.min(displayWidth(live), width - start)))
}
