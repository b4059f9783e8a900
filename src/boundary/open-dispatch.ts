/** One request of undici between its sender, who is told by a handler, and the answer that a run has for it. */
import type { HttpAnswer } from '../trace/exchange.ts'
import { answerParts } from './answer-parts.ts'
import { type Handler, handlerOf, isOfNewKind, type Listener, listenerOf } from './dispatch-handler.ts'
import type { DispatchOptions, ReadDispatch } from './dispatch-request.ts'
import { abortError, type ReceivedAnswer, receiveAnswer } from './receive-answer.ts'

export type Dispatch = (options: DispatchOptions, handler: Handler) => boolean

interface Sending {
  /** Aborts when the sender does. */
  readonly signal: AbortSignal
  send(read: ReadDispatch): Promise<HttpAnswer>
}

export interface OpenDispatch {
  /** Tells the sender what `ask` comes to; it is not asked when the sender has aborted already. */
  answer(ask: (sending: Sending) => Promise<HttpAnswer>): void
}

export function openDispatch(handler: Handler, real: Dispatch): OpenDispatch {
  const listener = listenerOf(handler)
  const { signal, abort } = aborting()
  let received: ReceivedAnswer | null = null
  const send = async ({ again }: ReadDispatch): Promise<HttpAnswer> => {
    const isNew = isOfNewKind(handler)
    received = await receiveAnswer(back => void real(again(), handlerOf(back, isNew)), signal)
    return received
  }
  return {
    answer: ask => {
      const told = tellOnce({ ...listener, ended: () => listener.ended(received?.trailers() ?? []) }, signal)
      listener.started(abort)
      if (!signal.aborted) told(ask({ signal, send }))
    },
  }
}

function aborting(): { signal: AbortSignal; abort: (reason?: unknown) => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: reason => controller.abort(reason ?? abortError()) }
}

/** Tells an answer, each part when there is room for it; the end, an error or an abort comes once and last. */
function tellOnce(listener: Listener, signal: AbortSignal): (answer: Promise<HttpAnswer>) => void {
  let isOver = false
  let parts: AsyncIterator<Uint8Array> | null = null
  let wake = (): void => {}
  const fail = (error: unknown): void => {
    if (isOver) return
    isOver = true
    void parts?.return?.()
    listener.failed(error)
  }
  const room = (tell: () => boolean): Promise<void> | null => {
    const resumed = new Promise<void>(done => {
      wake = done
    })
    return tell() ? null : resumed
  }
  const tell = async (answer: Promise<HttpAnswer>): Promise<void> => {
    const { head, body } = await answer
    parts = answerParts(body)
    if (isOver) return void parts.return?.()
    await room(() => listener.head(head, () => wake()))
    for (let step = await parts.next(); !step.done && !isOver; step = await parts.next()) {
      const { value } = step
      await room(() => listener.part(value))
    }
    if (isOver) return
    isOver = true
    listener.ended([])
  }
  signal.addEventListener('abort', () => queueMicrotask(() => fail(signal.reason)), { once: true })
  return answer => void tell(answer).catch(fail)
}
