/**
 * The layer of node:http and node:https, by which axios, got and node-fetch send. It lies where each request asks an agent
 * for a socket, however it was made: the request gets a socket that is none, what it writes there is read as a request, and
 * the answer is written back for Node's own parser. It carries encoded bytes. Without an agent nothing is seen.
 */
import { AsyncResource } from 'node:async_hooks'
import type { ClientRequest } from 'node:http'
import { isOwnPort } from '../own-ports.ts'
import { patch } from '../patch.ts'
import { callerOf } from './caller.ts'
import { httpCall, isAnyoneListening, watchesHttp } from './http-call.ts'
import { readSerialized } from './read-serialized.ts'
import { isSendingAgain, type RequestOptions, type SentAgain, sendAgain } from './send-again.ts'
import { openStandIn } from './stand-in-socket.ts'
import { writeAnswer } from './write-answer.ts'

interface AgentLike {
  readonly options?: { readonly timeout?: number }
  addRequest(request: ClientRequest, options: RequestOptions, ...legacy: unknown[]): void
}

/** Loaded here and not before: to load it costs a start one to three milliseconds. */
export function watchClientRequests(): () => void {
  const { Agent, ClientRequest } = process.getBuiltinModule('node:http')
  const kinds = new Map<object, () => void>()
  const watch = (agent: object): void => {
    const kind = ownerOfAddRequest(agent)
    if (kind !== null && !kinds.has(kind)) kinds.set(kind, patch(kind, 'addRequest', watched))
  }
  watch(Agent.prototype)
  const forget = onAgentOf(ClientRequest.prototype, watch)
  return () => {
    forget()
    for (const undo of kinds.values()) undo()
  }
}

/** Agents need not be Node's: that of `https-proxy-agent` 5, which axios brings, has an `addRequest` of its own. */
function ownerOfAddRequest(agent: object): AgentLike | null {
  let owner: object | null = agent
  while (owner !== null && !Object.hasOwn(owner, 'addRequest')) owner = Object.getPrototypeOf(owner)
  return owner as AgentLike | null
}

/** Node gives each request its agent just before it asks that for a socket. */
function onAgentOf(prototype: ClientRequest, look: (agent: object) => void): () => void {
  Object.defineProperty(prototype, 'agent', {
    configurable: true,
    get: () => undefined,
    set(this: ClientRequest, value: unknown) {
      if (typeof value === 'object' && value !== null) look(value)
      Object.defineProperty(this, 'agent', { value, writable: true, enumerable: true, configurable: true })
    },
  })
  return () => Reflect.deleteProperty(prototype, 'agent')
}

/** Requests that go to a server: an agent may hand one on to another agent, later. */
const passing = new WeakSet<ClientRequest>()

function watched(original: AgentLike['addRequest']): AgentLike['addRequest'] {
  return function addRequest(this: AgentLike, request, options, ...legacy) {
    const isReal = isSendingAgain() || passing.has(request)
    const url = !isReal && isAnyoneListening() ? addressOf(request, options) : null
    if (url === null || !watchesHttp(url)) {
      passing.add(request)
      return original.call(this, request, options, ...legacy)
    }
    const timeout = options.timeout ?? this.options?.timeout
    takeOver(request, { ...options, timeout }, url, addRequest as () => void)
  }
}

/** Null: nothing that could be a call. Web sockets and tunnels are none. */
function addressOf({ method, protocol, host, path }: ClientRequest, options: RequestOptions): URL | null {
  if (typeof options !== 'object' || method === 'CONNECT' || isUpgrade(options.headers)) return null
  const { socketPath, port } = options
  if (socketPath && isOwnPort('tcp', '', socketPath)) return null
  const base = `${protocol}//${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
  // To a proxy the whole address is sent as the path.
  return URL.canParse(path, base) ? new URL(path, base) : null
}

function isUpgrade(headers: RequestOptions['headers']): boolean {
  const names = Array.isArray(headers) ? headers.flat() : Object.keys(headers ?? {})
  return names.some(name => String(name).toLowerCase() === 'upgrade')
}

function takeOver(request: ClientRequest, options: RequestOptions, url: URL, entry: () => void): void {
  const aborting = new AbortController()
  const caller = callerOf(entry)
  const socket = openStandIn(url.protocol === 'https:')
  socket.onBreak(() => aborting.abort())
  const answer = async (): Promise<void> => {
    const { sent, headers, body } = readSerialized(request, url, socket.written())
    let again: SentAgain | null = null
    const send = async (): Promise<SentAgain> => {
      again = await sendAgain(request, options, headers, body, aborting.signal)
      return again
    }
    const call = httpCall(sent, 'http')
    const given = await (call === null ? send() : call(send, aborting.signal, entry, caller))
    await writeAnswer(socket, request.method, given, () => again?.trailers() ?? [])
  }
  // The call belongs to who made the request, not to what its last byte came from.
  request.once(
    'finish',
    AsyncResource.bind(() => void answer().catch(socket.destroy)),
  )
  // As an agent does it; a server that is silent for so long is told as a time-out.
  socket.socket.setTimeout(options.timeout ?? 0)
  request.onSocket(socket.socket)
}
