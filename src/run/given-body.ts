import type { BoundaryCall } from '../boundary/slot.ts'
import type { Json } from '../json/value.ts'
import { isStreamed, type Streamed } from './waiting.ts'

/** In which way a call answers; a stream on the spot, or by a promise of it. */
export type AnswerForm = 'sync' | 'async' | 'stream' | 'promise of a stream'

/**
 * A body that answers with what a person gave. `value` stands where a recorded result would; of a stream, what is no
 * `{ "yielded": […] }` is what it returns.
 */
export function givenBody(value: Json, form: AnswerForm, decode: BoundaryCall['decode']): () => unknown {
  const decoded = (plain: unknown): unknown => (decode === null ? plain : decode(plain))
  switch (form) {
    case 'sync':
      return () => decoded(value)
    case 'async':
      return async () => decoded(value)
    case 'stream':
      return () => chunks(streamedOf(value), decoded)
    case 'promise of a stream':
      return async () => chunks(streamedOf(value), decoded)
  }
}

function streamedOf(value: Json): Streamed {
  return isStreamed(value) ? value : { yielded: [], returned: value }
}

async function* chunks(
  { yielded, returned }: Streamed,
  decoded: (plain: unknown) => unknown,
): AsyncGenerator<unknown, unknown> {
  for (const chunk of yielded) yield decoded(chunk)
  return returned == null ? undefined : decoded(returned)
}
