import { type BoundaryCall, slot } from '../boundary/slot.ts'
import { identityOf } from '../plan/identity.ts'
import type { LiveCall, LiveRequest } from '../session/live-call.ts'
import type { Shape } from '../trace/call.ts'
import type { LiveInput } from './live-input.ts'
import type { RunSecrets } from './run-secrets.ts'
import type { RunState } from './run-state.ts'

/** What the session is asked for a call that comes now. */
export function liveRequest(
  { host, turns, isSettled }: RunState,
  boundary: BoundaryCall,
  shape: Shape,
  input: LiveInput,
  secrets: RunSecrets,
): LiveRequest {
  const context = slot().context.getStore()
  return {
    target: boundary.target,
    identity: identityOf(boundary.target),
    parent: context?.host === host ? (context.inside as LiveCall | null) : null,
    sync: shape === 'sync',
    pulls: shape === 'stream',
    prompt: turns.window !== null,
    afterEnd: isSettled,
    ...(boundary.order !== undefined && { order: boundary.order }),
    ...(boundary.signal !== null && { canAbort: true }),
    same: input.same,
    key: input.key,
    keyFor: input.keyFor,
    fits: call => secrets.fits(call, input),
  }
}
