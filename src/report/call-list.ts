/** The calls of a green run, one a line, so that a person sees what was compared. */
import type { CallOutcome, RunOutcome } from '../outcome/outcome.ts'
import { cutEnd, displayWidth } from './display-width.ts'
import type { Layout } from './layout.ts'
import { cutLine, type Line, span } from './page.ts'
import { safe } from './safe-text.ts'

/** Lines of a list that a person still reads; `--verbose` for all. */
const MOST = 60
/** Remarks end here, also where the terminal is wider: far from its call a remark is not read. */
const REMARK_END = 79

export function callList(run: RunOutcome, layout: Layout): Line[] {
  const calls = run.calls.filter(call => call.number !== null)
  const shown = layout.verbose ? calls : calls.slice(0, MOST)
  const digits = String(shown.at(-1)?.number ?? 0).length
  const more = calls.length - shown.length
  return [
    ...shown.map(call => callLine(call, digits, layout)),
    ...(more > 0 ? [cutLine(span(`    and ${more} more (--verbose for all)`, 'dim'))] : []),
  ]
}

/** `    2  tool   order_status {"order_id": "A-17"}` */
function callLine(call: CallOutcome, digits: number, layout: Layout): Line {
  const { paper, marks } = layout
  const remark = remarks(call)
  const start = `    ${String(call.number).padStart(digits)}  ${kindWord(call)}  `
  const room = paper.width - start.length - (remark === '' ? 0 : remark.length + 4)
  const text = cutEnd(safe(callText(call), paper), Math.max(20, room), marks.cut)
  const gap = Math.max(4, REMARK_END - remark.length - start.length - displayWidth(text))
  return cutLine(
    span(start),
    span(text),
    ...(remark === '' ? [] : [span(' '.repeat(gap)), span(remark, 'dim')]),
  )
}

function kindWord({ kind }: CallOutcome): string {
  return kind === 'llm' ? 'model' : 'tool '
}

function callText({ kind, label, summary }: CallOutcome): string {
  if (summary === '') return label
  return kind === 'llm' ? `${label}, ${summary}` : `${label} ${summary}`
}

function remarks({ overlaps, failed, answer }: CallOutcome): string {
  const parts = [
    ...(overlaps === null ? [] : [`at the same time as ${overlaps}`]),
    ...(failed && answer === 'recorded' ? ['fails as then'] : []),
    ...(answer === 'executed' ? ['ran for real'] : []),
    ...(answer === 'edited' ? ['answered by hand'] : []),
  ]
  return parts.join(', ')
}
