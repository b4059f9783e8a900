/** A session played by hand: the test makes the calls and says when a turn begins; what comes back is text. */
import type { Plan } from '../../../src/plan/plan.ts'
import type { Handout, LiveCall, SessionFact } from '../../../src/session/live-call.ts'
import { createSession, type Session, type SessionOptions } from '../../../src/session/session.ts'
import { notedCall, type PlanChanges, planFrom } from './plan-notation.ts'

export interface CallOptions {
  /** Made in the turn of a delivery or of the start. */
  readonly prompt?: boolean
  readonly afterEnd?: boolean
  /** The agent says that its order does not count. */
  readonly order?: 'any'
  /** It was given a signal. */
  readonly canAbort?: true
}

export interface Play {
  readonly plan: Plan
  readonly session: Session
  readonly facts: readonly SessionFact[]
  /** Live calls by the label that the test gave them. */
  readonly lives: ReadonlyMap<string, LiveCall>
  /** Makes a call in the notation of a plan; tells the answer as `serve 2`, `lend 1`, `refuse extra`, `serve 2 too early for 1`. */
  call(text: string, options?: CallOptions): string
  /** Makes calls one after the other. */
  calls(...texts: readonly string[]): readonly string[]
  /** One turn: what was handed out, as `-a`, `~a`, `-a executed`, `-a refused`; null when everything waits. */
  turn(): string | null
  /** Turns until everything waits. */
  turns(): string
  /** The run is idle: the one thing that is released. */
  idle(): string | null
  /** The answer of a synchronous call. */
  now(label: string): string
  executed(label: string, part?: 'chunk' | 'end'): void
  pull(label: string): void
  abandon(label: string): void
  abort(label: string): void
  verdict(label: string): string
}

export function play(log: string, changes: PlanChanges = {}, options: Partial<SessionOptions> = {}): Play {
  const plan = planFrom(log, changes)
  const facts: SessionFact[] = []
  const session = createSession(plan, fact => facts.push(fact), { onDivergence: 'continue', ...options })
  const lives = new Map<string, LiveCall>()
  const labels = new Map<LiveCall, string>()
  return {
    plan,
    session,
    facts,
    lives,
    call,
    calls: (...texts) => texts.map(text => call(text)),
    turn: () => told(session.turn()),
    turns: () => {
      const handed: string[] = []
      for (let next = session.turn(); next !== null; next = session.turn()) handed.push(told(next)!)
      return handed.join(' ')
    },
    idle: () => told(session.idle()),
    now: label => told(session.answerNow(live(label)))!,
    executed: (label, part = 'end') => session.executed(live(label), { part, payload: null }),
    pull: label => session.pull(live(label)),
    abort: label => session.abort(live(label)),
    abandon: label => session.abandon(live(label)),
    verdict: label => live(label).verdict,
  }

  function call(
    text: string,
    { prompt = false, afterEnd = false, order, canAbort }: CallOptions = {},
  ): string {
    const noted = notedCall(text)
    const answer = session.call({
      target: { kind: 'tool', name: noted.tool },
      identity: `tool ${noted.tool}`,
      parent: noted.inside === null ? null : live(noted.inside),
      sync: noted.shape === 'sync',
      pulls: noted.shape === 'stream',
      prompt,
      afterEnd,
      ...(order !== undefined && { order }),
      ...(canAbort !== undefined && { canAbort }),
      same: number => plan.calls[number - 1]!.keys.includes(noted.input),
      key: () => noted.input,
    })
    lives.set(noted.label, answer.live)
    labels.set(answer.live, noted.label)
    const which =
      answer.kind === 'refuse' || answer.live.call === null ? answer.live.verdict : answer.live.call + 1
    return `${answer.kind} ${which}${answer.hastyBefore === null ? '' : ` too early for ${answer.hastyBefore}`}`
  }

  function live(label: string): LiveCall {
    const known = lives.get(label)
    if (known === undefined) throw new Error(`no live call ${label}`)
    return known
  }

  function told(handout: Handout | null): string | null {
    if (handout === null) return null
    const sign = { end: '-', chunk: '~', head: '^' }[handout.part]
    const from = { recorded: '', executed: ' executed', refusal: ' refused' }[handout.source.from]
    return `${sign}${labels.get(handout.live)}${from}`
  }
}
