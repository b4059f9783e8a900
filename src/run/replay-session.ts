/** A replay in this process, for tests: the same machine as the command's, acting by async context only. */
import { ReplayMismatchError, StepforkError } from '../errors.ts'
import { labelOf } from '../plan/identity.ts'
import type { Mode, Order, Plan } from '../plan/plan.ts'
import { planOf } from '../plan/plan-of.ts'
import { openPayloads, type Payloads } from '../store/payloads.ts'
import type { Bundle } from '../trace/bundle.ts'
import type { Fact, MadeFact } from '../trace/journal.ts'
import { createRun, type Run } from './run-agent.ts'

export interface ReplaySessionOptions {
  readonly mode?: Exclude<Mode, 'record'>
  readonly order?: Order
  /** Labels of the tools and models that run for real (mode hybrid). */
  readonly live?: readonly string[]
  /** Default 'stop': a refused call consumes nothing, so that the agent may go on with the right one. */
  readonly onDivergence?: 'continue' | 'stop'
  /** Milliseconds without any call after which a held call is answered; default 1000. */
  readonly stallMs?: number
}

export interface SessionCall {
  /** Number of the recorded call, from 1; null for one that the recording does not have. */
  readonly number: number | null
  readonly kind: 'tool' | 'llm'
  readonly label: string
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
  #divergence: ReplayMismatchError | null = null

  /** Throws BUNDLE_INVALID when the bundle cannot be planned. */
  constructor(bundle: Bundle, options: ReplaySessionOptions = {}) {
    this.mode = options.mode ?? 'frozen'
    this.payloads = openPayloads(bundle.path)
    this.plan = planOf(bundle, this.payloads.rawField, {
      mode: options.mode ?? 'frozen',
      order: options.order ?? 'causal',
      live: options.live ?? [],
    })
    this.input = this.plan.input === null ? null : this.payloads.field(this.plan.input, 'input')
    const facts: Fact[] = []
    this.facts = facts
    this.#run = createRun({
      plan: this.plan,
      payloads: this.payloads,
      write: fact => {
        facts.push(fact)
        if (fact.kind === 'made') this.#noteDivergence(fact)
      },
      onDivergence: options.onDivergence ?? 'stop',
      stallMs: options.stallMs ?? 1000,
      ownsProcess: false,
      timers: null,
    })
  }

  /** The recorded calls that are expected, in recorded order. */
  get recordedCalls(): readonly {
    readonly number: number
    readonly kind: 'tool' | 'llm'
    readonly label: string
  }[] {
    return this.plan.calls
      .filter(call => call.inside === null)
      .map(call => ({ number: call.number, kind: call.target.kind, label: labelOf(call.target) }))
  }

  /** How many calls matched so far. */
  get matched(): number {
    return this.#made().filter(fact => fact.verdict === 'matched').length
  }

  /** Calls that ran for real so far. */
  get executed(): readonly SessionCall[] {
    return this.#made()
      .filter(fact => fact.answer === 'run')
      .map(toCall)
  }

  /** How many recorded calls were not made so far. */
  get pending(): number {
    const taken = new Set(this.#made().map(fact => fact.call))
    return this.recordedCalls.filter(call => !taken.has(call.number)).length
  }

  /** The first refused call, whatever the agent made of the refusal. */
  get divergence(): ReplayMismatchError | null {
    return this.#divergence
  }

  /** Runs the function against the recording; resolves or rejects as it does. Throws USAGE when entered inside itself. */
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
    }
  }

  /** Throws the divergence, or a ReplayMismatchError when recorded calls were not made. */
  verifyComplete(): void {
    if (this.#divergence !== null) throw this.#divergence
    const taken = new Set(this.#made().map(fact => fact.call))
    const left = this.recordedCalls.filter(call => !taken.has(call.number))
    if (left.length === 0) return
    const names = left
      .slice(0, 5)
      .map(call => `${call.number} ${call.label}`)
      .join(', ')
    throw new ReplayMismatchError(
      `the run ended before ${left.length} recorded calls: ${names}${left.length > 5 ? ', …' : ''}`,
      {
        kind: 'missing',
        call: left[0]!.number,
        live: 0,
        label: left[0]!.label,
      },
    )
  }

  summary(): SessionSummary {
    return {
      mode: this.mode,
      recorded: this.recordedCalls.length,
      matched: this.matched,
      pending: this.pending,
      calls: this.#made().map(toCall),
      divergence: this.#divergence?.message ?? null,
    }
  }

  #made(): MadeFact[] {
    return this.facts.filter(fact => fact.kind === 'made')
  }

  #noteDivergence(fact: MadeFact): void {
    const isDivergent = fact.verdict !== 'matched' || fact.hastyBefore !== undefined
    if (!isDivergent || fact.afterEnd === true || this.#divergence !== null) return
    const label = labelOf(fact.target)
    const details = { kind: fact.verdict, call: fact.call, live: fact.live, label }
    this.#divergence = new ReplayMismatchError(
      `${label}, call ${fact.live} of this run: ${fact.verdict}`,
      details,
    )
  }
}

function toCall(fact: MadeFact): SessionCall {
  const action = fact.answer === 'run' ? 'executed' : fact.answer === 'refuse' ? 'refused' : 'substituted'
  return { number: fact.call, kind: fact.target.kind, label: labelOf(fact.target), action }
}
