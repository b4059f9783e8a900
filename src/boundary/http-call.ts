/** Where HTTP requests of the agent become calls, whichever library sends them; each layer (http-*.ts) ends here. */
import { readRequest } from '../dialect/read-request.ts'
import { telemetryAnswer } from '../dialect/telemetry-answer.ts'
import { isOwnPort } from '../own-ports.ts'
import type { ExchangeLayer, HttpAnswer, ReadRequest, SentRequest } from '../trace/exchange.ts'
import type { Caller } from './caller.ts'
import { serviceNames } from './service-names.ts'
import { currentHost, type Host, slot } from './slot.ts'

/** Some run may listen: the one look that a request costs when none does. */
export function isAnyoneListening(): boolean {
  const { context, hosts } = slot()
  return hosts.size > 0 || context.getStore() !== undefined
}

/**
 * A request to this address may be a call of a run that is going on: look at its body and ask `httpCall`. False: send it as
 * it is, for nobody listens, or what sends it is itself part of a call that was already seen.
 */
export function watchesHttp(url: URL): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  const host = currentHost()
  return host !== null && host.enclosing() !== 'http' && !isToItself(url)
}

/** How the run answers a request; `send` does it for real, and is called at most once. Null: send it as it is. */
export type AnswerHttp = (
  send: () => Promise<HttpAnswer>,
  signal: AbortSignal | null,
  /** The function that the agent called. */
  entry: (...args: never[]) => unknown,
  /** Where that was, when the call is made later. */
  caller?: Caller,
) => Promise<HttpAnswer>

export function httpCall(sent: SentRequest, layer: ExchangeLayer): AnswerHttp | null {
  const host = currentHost()
  if (host === null) return null
  const services = serviceNames(host)
  const read = readRequest(sent, services.nameOf)
  if (read.kind === 'telemetry') return host.mode === 'replay' ? answerTelemetry(host, sent) : null
  if (isPartOfCall(read, host.enclosing())) return null
  services.noteUse(sent.url)
  return (send, signal, entry, caller) =>
    host.call({
      target: read.target,
      input: read.input,
      declared: 'async',
      body: send,
      encode: null,
      decode: null,
      errors: [],
      policy: 'frozen',
      signal,
      entry,
      ...(caller !== undefined && { caller }),
      exchange: { layer, sent, read },
    }) as Promise<HttpAnswer>
}

/** What an agent tells of itself to somebody is no part of what it does: never sent in a replay, and answered at once. */
function answerTelemetry(host: Host, { url }: SentRequest): AnswerHttp {
  host.note('telemetry-answered', url.hostname)
  return async () => {
    const { head, chunks } = telemetryAnswer()
    return { head, body: chunks.join('') }
  }
}

/** The agent may listen, and talk to its own ports. */
function isToItself({ hostname, port, protocol }: URL): boolean {
  return isOwnPort('tcp', hostname.replace(/^\[|\]$/g, ''), port || (protocol === 'http:' ? 80 : 443))
}

/** Plain HTTP inside any call is how that call does its work; a model asked by a tool is a call of its own. */
function isPartOfCall(read: ReadRequest, enclosing: 'tool' | 'llm' | 'http' | null): boolean {
  return enclosing !== null && (read.kind !== 'model' || enclosing !== 'tool')
}
