/** Differences of an input or output: each with its JSON Pointer and both values. */
import type { Difference } from '../json/compare.ts'
import { comparedValues } from './compared-values.ts'
import { caretLine, type Layout, side, under, valueWidth } from './layout.ts'
import type { Line } from './page.ts'

export interface Differing {
  readonly of: 'input' | 'output' | 'answer'
  /** What the live values are held against; absent: recorded. */
  readonly other?: 'recorded' | 'expected'
  /** The texts are a prompt. */
  readonly prose: boolean
}

/** Differences shown without `--verbose`. */
const MOST = 5

export function differenceLines(differences: readonly Difference[], what: Differing, layout: Layout): Line[] {
  const shown = layout.verbose ? differences : differences.slice(0, MOST)
  const more = differences.length - shown.length
  return [
    ...shown.flatMap(difference => oneDifference(difference, what, layout)),
    ...(more > 0 ? [under(layout, `and ${more} more (--verbose for all)`, 'dim')] : []),
  ]
}

function oneDifference(difference: Difference, what: Differing, layout: Layout): Line[] {
  const long = layout.verbose || layout.paper.width === Number.POSITIVE_INFINITY
  const values = comparedValues(difference, {
    paper: layout.paper,
    width: valueWidth(layout),
    prose: what.prose,
    lines: long ? 40 : 6,
  })
  const place = difference.path === '' ? `the whole ${what.of}` : difference.path
  return [
    under(
      layout,
      [place, values.where, difference.change === 'moved' ? 'moved' : null].filter(isText).join(', '),
    ),
    ...side(layout, 'recorded', values.recorded, what.other),
    ...side(layout, 'live', values.live),
    ...(values.carets === null ? [] : [caretLine(layout, values.carets)]),
    ...(values.remark === null ? [] : [under(layout, values.remark)]),
  ]
}

function isText(text: string | null): text is string {
  return text !== null
}
