/**
 * The process-wide place where boundaries find the run they belong to. An agent may load another copy of the package
 * (ESM and CJS, or another version), so the slot hangs on a global symbol and what passes through it is this protocol.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { StepforkError } from '../errors.ts'
import type { ErrorClass } from '../json/rebuild-error.ts'
import type { ReplayPolicy } from '../trace/bundle.ts'
import type { Target } from '../trace/call.ts'
import type { ExchangeLayer, ReadRequest, SentRequest } from '../trace/exchange.ts'
import type { NoteCode } from '../trace/journal.ts'
import type { Caller } from './caller.ts'

/** One call as the boundary hands it over, nothing copied yet. */
export interface BoundaryCall {
  readonly target: Target
  readonly input: unknown
  /** What the wrapped function is, so far as it can be told without calling it. */
  readonly declared: 'async' | 'stream' | 'plain'
  readonly body: () => unknown
  /** Turn a result into what is recorded, and back. */
  readonly encode: ((result: unknown) => unknown) | null
  readonly decode: ((recorded: unknown) => unknown) | null
  /** Classes that a recorded failure may be an instance of, by name. */
  readonly errors: readonly ErrorClass[]
  readonly policy: ReplayPolicy
  /** Answered whenever it comes, its order not compared. Absent: held in its recorded place. */
  readonly order?: 'any'
  readonly signal: AbortSignal | null
  /** The function the agent called: its frames and those above are not part of the call site. */
  readonly entry: (...args: never[]) => unknown
  /** Where that was, when it is no longer on the stack. */
  readonly caller?: Caller
  /** Of an HTTP request: the body gives a promise of an HttpAnswer, and so does the host. */
  readonly exchange?: HttpExchange
}

export type HttpBoundaryCall = BoundaryCall & { readonly exchange: HttpExchange }

export function isHttp(call: BoundaryCall): call is HttpBoundaryCall {
  return call.exchange !== undefined
}

export interface HttpExchange {
  readonly layer: ExchangeLayer
  readonly sent: SentRequest
  readonly read: ReadRequest
}

/** A run that answers calls; made by run/, reached only through the slot. */
export interface Host {
  readonly mode: 'record' | 'replay'
  /** Whatever happens in this process is part of the run, also where the async context was lost. */
  readonly ownsProcess: boolean
  /** The value of a synchronous call, a promise, or an async generator. */
  call(call: BoundaryCall): unknown
  /** What kind of call, still open, the current code is the body of; null: none. */
  enclosing(): 'tool' | 'llm' | 'http' | null
  setOutput(value: unknown): void
  /** A request went to the address that this environment variable holds. */
  service(name: string, url: string): void
  /** Something worth a line in the report; the same note is written once. */
  note(code: NoteCode, detail: string): void
}

export interface Context {
  readonly host: Host
  /** The call whose body is running; the host's own kind of thing. */
  readonly inside: unknown
}

export interface Slot {
  readonly protocol: 1
  readonly context: AsyncLocalStorage<Context>
  /** Runs that are going on in this process. */
  readonly hosts: Set<Host>
}

const KEY = Symbol.for('stepfork.session.v1')

export function slot(): Slot {
  const place = globalThis as { [KEY]?: Slot }
  place[KEY] ??= { protocol: 1, context: new AsyncLocalStorage<Context>(), hosts: new Set() }
  return place[KEY]
}

/**
 * The run that the current code belongs to; null outside a recording and a replay. Throws SESSION_AMBIGUOUS when several
 * runs share the process and the async context that would tell them apart was lost.
 */
export function currentHost(): Host | null {
  const { context, hosts } = slot()
  const known = context.getStore()
  // What a run left behind when it ended must not be made for real. The one other run that is going on is asked first: a
  // queue that an earlier run has set up may serve it now.
  if (known !== undefined && (hosts.has(known.host) || hosts.size !== 1)) return known.host
  if (hosts.size === 0) return null
  if (hosts.size === 1) return hosts.values().next().value ?? null
  throw new StepforkError(
    'SESSION_AMBIGUOUS',
    `${hosts.size} runs are going on in this process and this call does not say which it belongs to`,
    'It was made from a listener or queue that was set up before the runs began. Wrap it with AsyncLocalStorage.bind, or run one at a time.',
  )
}

/** The run that the current code is surely inside of: a new one that begins here would be part of it. */
export function enclosingHost(): Host | null {
  const { context, hosts } = slot()
  const known = context.getStore()
  if (known !== undefined && hosts.has(known.host)) return known.host
  return [...hosts].find(host => host.ownsProcess) ?? null
}
