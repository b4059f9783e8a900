/** An answer as a `Response`, and a `Response` as an answer; its bytes are decoded, whatever its headers say. */
import type { ExchangeHead, HttpAnswer } from '../trace/exchange.ts'

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304])

export function answerOf(response: Response): HttpAnswer {
  const { status, statusText, redirected, url, body } = response
  const head = { status, statusText, headers: [...response.headers], ...(redirected && { url }) }
  return { head, body: body === null ? null : { [Symbol.asyncIterator]: () => partsOf(body) } }
}

function partsOf(body: ReadableStream<Uint8Array>): AsyncIterator<Uint8Array> {
  const reader = body.getReader()
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: async () => {
      await reader.cancel()
      return { done: true, value: undefined }
    },
  }
}

/** What `fetch` gives for a request to `asked`. */
export function responseOf({ head, body }: HttpAnswer, asked: URL, signal: AbortSignal | null): Response {
  const stream = body === null || WITHOUT_BODY.has(head.status) ? null : contentOf(body, head, signal)
  const headers = head.headers as [string, string][]
  if (!isConstructible(head)) return dressed(new Response(stream, { headers }), head, asked, odd(head))
  const { status, statusText } = head
  return dressed(new Response(stream, { status, statusText, headers }), head, asked, {})
}

type Content = NonNullable<ConstructorParameters<typeof Response>[0]>

/** What is whole needs no stream, which would cost more than all the rest of a replayed call. */
function contentOf(
  body: NonNullable<HttpAnswer['body']>,
  { headers }: ExchangeHead,
  signal: AbortSignal | null,
): Content {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  if (typeof body !== 'string') return streamOf(body[Symbol.asyncIterator](), signal)
  // Of a text without a type Response would say that it is plain text.
  return headers.some(([name]) => name.toLowerCase() === 'content-type') ? body : Buffer.from(body)
}

/** One part for each read, nothing read ahead: who stops reading, stops the source. */
function streamOf(parts: AsyncIterator<Uint8Array>, signal: AbortSignal | null): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        if (signal?.aborted) throw signal.reason
        const step = await parts.next()
        if (step.done) controller.close()
        else controller.enqueue(step.value)
      },
      async cancel() {
        await parts.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Servers may answer 999, or with a reason in another alphabet; `fetch` hands that on, its constructor refuses. */
function isConstructible({ status, statusText }: ExchangeHead): boolean {
  return status >= 200 && status <= 599 && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)
}

function odd({ status, statusText }: ExchangeHead): PropertyDescriptorMap {
  return {
    status: { value: status },
    statusText: { value: statusText },
    ok: { value: status >= 200 && status <= 299 },
  }
}

/** What the constructor leaves out; a clone would lose it again. */
function dressed(response: Response, head: ExchangeHead, asked: URL, more: PropertyDescriptorMap): Response {
  return Object.defineProperties(response, {
    url: { value: head.url ?? asked.href.split('#', 1)[0] },
    redirected: { value: head.url !== undefined },
    type: { value: 'basic' },
    clone: { value: () => dressed(Response.prototype.clone.call(response), head, asked, more) },
    ...more,
  })
}
