/** The error that a refused connection fails with. */
export interface BlockedError extends Error {
  readonly code: 'ERR_STEPFORK_BLOCKED'
}

/** Notes what is refused and makes the error for it; call it where the agent's frames are on the stack. */
export type Refuse = (what: string) => BlockedError
