/** Text of the frames above `callee` on the stack, the caller first, at most so many. */
export function framesAbove(callee: (...args: never[]) => unknown, most: number): readonly string[] {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = most
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, callee)
  Error.stackTraceLimit = before
  return framesIn(holder.stack)
}

/** Behind the first line, which is the message. */
export function framesIn(stack = ''): readonly string[] {
  return stack
    .split('\n')
    .slice(1)
    .map(line => line.trim())
}
