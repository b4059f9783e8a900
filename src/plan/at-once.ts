import type { Delivery, PlannedCall } from './plan.ts'

/**
 * An HTTP answer whose body was not streamed, and between whose head and end nothing happened: a replay hands out the two
 * as one, when the end has its turn.
 */
export function isAtOnce({ parts }: PlannedCall, deliveries: readonly Delivery[]): boolean {
  const [first, second] = parts
  if (parts.length !== 2 || second !== first! + 1) return false
  const [head, end] = [deliveries[first!]!, deliveries[second]!]
  return head.part === 'head' && end.part === 'end' && head.after === end.after
}
