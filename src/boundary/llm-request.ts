import type { ErrorClass } from '../json/rebuild-error.ts'
import { cross, declaredShape } from './cross.ts'

export interface LlmRequest<R = unknown> {
  /** The API's dialect, such as `openai`; absent when there is none to tell. */
  readonly provider?: string | null
  readonly model: string
  /** What the model is sent: it is compared in a replay. */
  readonly input: unknown
  readonly encode?: (result: Awaited<R>) => unknown
  readonly decode?: (recorded: unknown) => Awaited<R>
  readonly errors?: readonly ErrorClass[]
  readonly signal?: AbortSignal
  /** `any`: a replay compares what is asked, but not when: the call is never held and holds nothing back. */
  readonly order?: 'any'
}

/** A model call: records what it is sent and what comes back; in a replay `call` does not run. */
export function llmRequest<R>(request: LlmRequest<R>, call: () => R): R {
  const declared = declaredShape(call)
  return cross({
    target: { kind: 'llm', provider: request.provider ?? null, model: request.model },
    input: request.input,
    declared,
    body: call,
    encode: (request.encode as ((result: unknown) => unknown) | undefined) ?? null,
    decode: request.decode ?? null,
    errors: request.errors ?? [],
    policy: 'frozen',
    ...(request.order !== undefined && { order: request.order }),
    signal: request.signal ?? null,
    entry: llmRequest,
  }) as R
}
