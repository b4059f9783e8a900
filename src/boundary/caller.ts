/** Who made a request, kept while it is on the stack: the call is made later. Its text is made when somebody asks for it. */
export interface Caller {
  readonly stack?: string
}

/** A library may lie between, with a dozen of its own. */
const FRAMES = 40

/** The frames above `entry`. */
export function callerOf(entry: (...args: never[]) => unknown): Caller {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const caller: Caller = {}
  Error.captureStackTrace(caller, entry)
  Error.stackTraceLimit = before
  return caller
}
