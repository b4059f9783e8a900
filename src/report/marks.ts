/** The signs of a report. Each has its word beside it, so none carries the meaning alone. */

export interface Marks {
  readonly good: string
  readonly bad: string
  readonly follows: string
  readonly gives: string
  readonly cut: string
  /** Between the facts of a counts line. */
  readonly dot: string
}

const UNICODE: Marks = { good: '✓', bad: '✗', follows: '↳', gives: '→', cut: '…', dot: ' · ' }
const ASCII: Marks = { good: 'ok', bad: 'x', follows: '->', gives: '->', cut: '...', dot: ' | ' }

export function marksFor({ unicode }: { readonly unicode: boolean }): Marks {
  return unicode ? UNICODE : ASCII
}
