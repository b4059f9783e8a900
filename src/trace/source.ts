/** A place in the user's own code: `line` and `column` count from 1, `file` is relative to the working directory. */
export interface Place {
  /** With forward slashes on every platform. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** Null at the top level of a file and in a function without a name. */
  readonly function: string | null
}

/** Where the agent made a call. */
export interface Source extends Place {
  /** The next frame of the user's own code outwards. */
  readonly calledFrom: Place | null
  /** Lines of code around it, ready to print; absent when the file is not there. */
  readonly frame?: readonly string[]
}
