import type { Header, HttpAnswer } from '../trace/exchange.ts'
import { answerParts } from './answer-parts.ts'
import type { StandIn } from './stand-in-socket.ts'

const WITHOUT_BODY = new Set([204, 304])

/** Writes an answer as a server writes it, framed as its headers say; what the request does not read is not asked for. */
export async function writeAnswer(
  socket: StandIn,
  method: string,
  { head, body }: HttpAnswer,
  trailers: () => readonly Header[],
): Promise<void> {
  const { status, statusText, headers } = head
  const hasBody = method !== 'HEAD' && !WITHOUT_BODY.has(status)
  const isChunked = headerIn(headers, 'transfer-encoding') === 'chunked'
  const parts = answerParts(body)
  let isOver = false
  socket.socket.once('close', () => void (isOver || parts.return?.()))
  try {
    await socket.give(Buffer.from(`HTTP/1.1 ${status} ${statusText}\r\n${linesOf(headers)}\r\n`, 'latin1'))
    for (let step = await parts.next(); !step.done; step = await parts.next())
      if (hasBody && step.value.length > 0) await socket.give(isChunked ? chunkOf(step.value) : step.value)
    isOver = true
    if (hasBody && isChunked) await socket.give(Buffer.from(`0\r\n${linesOf(trailers())}\r\n`, 'latin1'))
    if (hasBody && !isChunked && headerIn(headers, 'content-length') === null) socket.end()
  } catch (error) {
    isOver = true
    socket.destroy(isCut(error) ? undefined : (error as Error))
  }
}

/** The connection ended too early, without an error of its own: Node will say so again. */
function isCut(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted'
}

function chunkOf(part: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
}

function linesOf(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

function headerIn(headers: readonly Header[], wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1].toLowerCase() ?? null
}
