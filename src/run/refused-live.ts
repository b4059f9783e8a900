/** Which refusal of this run an error comes from: ours, or a library's own, made of the answer by which a request was refused. */
import { refusedLive } from '../errors.ts'
import type { RunState } from './run-state.ts'

/** The live number (from 1) of the refused call; null: it comes from none. */
export function refusedLiveIn({ refusedRequests }: RunState, error: unknown): number | null {
  return refusedLive(error) ?? (refusedRequests.size === 0 ? null : refusedRequest(refusedRequests, error))
}

/** Only what this run said itself counts: the text of an error may come from anybody. */
function refusedRequest(refused: ReadonlyMap<string, number>, error: unknown): number | null {
  const told = textsIn(error)
  const found = [...refused].filter(([message]) => told.some(text => text.includes(message)))
  return found.at(-1)?.[1] ?? null
}

/** SDKs put the answer's message into their own; HTTP clients keep the answer beside it. */
function textsIn(error: unknown): string[] {
  const texts: string[] = []
  for (let depth = 0, at = error; depth < 16 && typeof at === 'object' && at !== null; depth++) {
    const { message, response, cause } = at as { message?: unknown; response?: unknown; cause?: unknown }
    const { data, body } = (response ?? {}) as { data?: unknown; body?: unknown }
    for (const value of [message, data, body]) texts.push(...textOf(value))
    at = cause
  }
  return texts
}

/** What a request is refused with, read or not; a body may also be a stream, or all bytes. */
function textOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  const { error } = (value ?? {}) as { error?: unknown }
  const told = (error as { message?: unknown } | null | undefined)?.message ?? error
  return typeof told === 'string' ? [told] : []
}
