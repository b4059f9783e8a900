/** A replay in this process, for tests: the same machine as the command's, acting by async context only. */
import { ReplayMismatchError, type ReplayPolicyError, StepforkError } from '../errors.ts'
import { type LiveCalls, type LiveOutcome, liveCallsOf } from '../outcome/live-calls.ts'
import { labelOf } from '../plan/identity.ts'
import { nestedCalls } from '../plan/nested-calls.ts'
import type { Mode, Order, Plan } from '../plan/plan.ts'
import { planOf } from '../plan/plan-of.ts'
import type { Payloads } from '../store/payloads.ts'
import type { Bundle } from '../trace/bundle.ts'
import type { Fact } from '../trace/journal.ts'
import { createRedactor } from '../trace/redactor.ts'
import { watchEnvironment } from './environment-secrets.ts'
import { firstDivergence } from './first-divergence.ts'
import { lazyPayloads } from './lazy-payloads.ts'
import { recordedValue } from './recorded-value.ts'
import { createRun, type Run } from './run-agent.ts'

export interface ReplaySessionOptions {
  /** Default: frozen, or hybrid when `live` names something. */
  readonly mode?: Exclude<Mode, 'record' | 'manual'>
  readonly order?: Order
  /** Labels of the tools and models that run for real (mode hybrid). */
  readonly live?: readonly string[]
  /** Default 'stop': a refused call consumes nothing, so that the agent may go on with the right one. */
  readonly onDivergence?: 'continue' | 'stop'
  /** Milliseconds without any call after which a held call is answered; default 1000. */
  readonly stallMs?: number
}

export interface RecordedCallName {
  /** From 1. */
  readonly number: number
  readonly kind: 'tool' | 'llm'
  /** Name of the tool, or `provider/model`. */
  readonly label: string
}

export interface SessionCall extends Omit<RecordedCallName, 'number'> {
  /** Number of the recorded call, from 1; null for one that the recording does not have. */
  readonly number: number | null
  readonly action: 'substituted' | 'executed' | 'refused'
}

export interface SessionSummary {
  readonly mode: string
  readonly recorded: number
  readonly matched: number
  readonly pending: number
  readonly calls: readonly SessionCall[]
  readonly divergence: string | null
}

export class ReplaySession {
  readonly mode: string
  /** The recorded input of the run. */
  readonly input: unknown
  /** What happened so far, fact by fact. */
  readonly facts: readonly Fact[]
  readonly plan: Plan
  readonly payloads: Payloads
  readonly #run: Run
  #isRunning = false

  /** Throws BUNDLE_INVALID when the bundle cannot be planned, USAGE when `mode` and `live` contradict each other. */
  constructor(bundle: Bundle, options: ReplaySessionOptions = {}) {
    this.mode = modeOf(options)
    this.payloads = lazyPayloads(bundle.path)
    this.plan = planOf(bundle, this.payloads.rawField, {
      mode: modeOf(options),
      order: options.order ?? 'causal',
      live: options.live ?? [],
    })
    const { input, inputMarks } = this.plan
    this.input = input === null ? null : recordedValue(this.payloads, input, 'input', inputMarks)
    this.payloads.close()
    const facts: Fact[] = []
    this.facts = facts
    this.#run = createRun({
      plan: this.plan,
      payloads: this.payloads,
      redactor: createRedactor(this.plan.redaction, watchEnvironment(process.env)),
      write: fact => void facts.push(fact),
      onDivergence: options.onDivergence ?? 'stop',
      stallMs: options.stallMs ?? 1000,
      ownsProcess: false,
      timers: null,
    })
  }

  /** The recorded calls that are expected, in recorded order. */
  get recordedCalls(): readonly RecordedCallName[] {
    const nested = nestedCalls(this.plan.calls)
    return this.plan.calls
      .filter((_, index) => nested[index] === 0)
      .map(call => ({ number: call.number, kind: call.target.kind, label: labelOf(call.target) }))
  }

  /** How many calls matched so far; one that ran for real in its recorded place did, whatever its input. */
  get matched(): number {
    return this.#calls().lives.filter(isMatched).length
  }

  /** Calls that ran for real so far. */
  get executed(): readonly SessionCall[] {
    return this.#calls()
      .lives.filter(live => live.isExecuted)
      .map(toCall)
  }

  /** How many recorded calls were not made so far. */
  get pending(): number {
    return this.#pending().length
  }

  /** The first call that was not as recorded, whatever the agent made of its refusal. */
  get divergence(): ReplayMismatchError | ReplayPolicyError | null {
    return firstDivergence(this.facts, this.plan)
  }

  /**
   * Runs the function against the recording; resolves or rejects as it does. May be called again afterwards and then goes on
   * where it was left. Throws USAGE when entered inside itself.
   */
  async run<R>(fn: (input: never) => R): Promise<Awaited<R>> {
    if (this.#isRunning)
      throw new StepforkError(
        'USAGE',
        'this ReplaySession is already running',
        'Make a new one for each run.',
      )
    this.#isRunning = true
    try {
      const end = await this.#run.toEnd(() => fn(this.input as never))
      if (end.status === 'failed') throw end.error
      return (end as { value: Awaited<R> }).value
    } finally {
      this.#isRunning = false
      this.payloads.close()
    }
  }

  /** Ends a run that is going on; `run` then resolves with nothing. */
  giveUp(): void {
    this.#run.settleNow({ status: 'stalled' })
  }

  /** Throws the divergence, or a ReplayMismatchError when recorded calls were not made. */
  verifyComplete(): void {
    const { divergence } = this
    if (divergence !== null) throw divergence
    const left = this.#pending()
    if (left.length > 0) throw incomplete(left)
  }

  summary(): SessionSummary {
    return {
      mode: this.mode,
      recorded: this.recordedCalls.length,
      matched: this.matched,
      pending: this.pending,
      calls: this.#calls().lives.map(toCall),
      divergence: this.divergence?.message ?? null,
    }
  }

  #calls(): LiveCalls {
    return liveCallsOf(this.facts)
  }

  #pending(): readonly RecordedCallName[] {
    const { byCall } = this.#calls()
    return this.recordedCalls.filter(call => !byCall.has(call.number))
  }
}

function modeOf({ mode, live = [] }: ReplaySessionOptions): Exclude<Mode, 'record' | 'manual'> {
  // Types do not stop what comes from JavaScript.
  if ((mode as Mode | undefined) === 'manual')
    throw new StepforkError(
      'USAGE',
      'mode manual asks at a terminal, which a ReplaySession does not have',
      'Use: npx stepfork replay <bundle> --agent <file> --mode manual',
    )
  const implied = live.length > 0 ? 'hybrid' : 'frozen'
  if (mode === undefined || mode === implied || mode === 'live') return mode ?? implied
  if (live.length === 0 && (mode === 'forbidden' || mode === 'derived')) return mode
  throw new StepforkError(
    'USAGE',
    mode === 'hybrid'
      ? 'mode hybrid runs nothing for real unless `live` names a tool or a model'
      : `mode ${mode} runs nothing for real, but \`live\` names ${live.join(', ')}`,
    "Give both, { mode: 'hybrid', live: ['search', 'openai/gpt-4o'] }, or neither.",
  )
}

function isMatched({ call, verdict, isExecuted }: LiveOutcome): boolean {
  return verdict === 'matched' || (isExecuted && call !== null)
}

function toCall({ made, call, isExecuted, isRefused }: LiveOutcome): SessionCall {
  const action = isExecuted ? 'executed' : isRefused ? 'refused' : 'substituted'
  return { number: call, kind: made.target.kind, label: labelOf(made.target), action }
}

function incomplete(left: readonly RecordedCallName[]): ReplayMismatchError {
  const [first] = left
  const names = left.slice(0, 5).map(call => `${call.number} ${call.label}`)
  const more = left.length > 5 ? ', …' : ''
  return new ReplayMismatchError(
    `the run ended before ${left.length} recorded ${left.length === 1 ? 'call' : 'calls'}: ${names.join(', ')}${more}`,
    { kind: 'missing', call: first!.number, live: 0, label: first!.label },
  )
}
