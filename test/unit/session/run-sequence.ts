/** An agent that makes one call after the other, played against a recording of such an agent, and judged. */
import { callFindings, type Finding } from '../../../src/outcome/call-findings.ts'
import type { Evidence } from '../../../src/outcome/evidence.ts'
import { liveCallsOf } from '../../../src/outcome/live-calls.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import type { Answer, LiveCall } from '../../../src/session/live-call.ts'
import { createSession } from '../../../src/session/session.ts'
import type { Fact } from '../../../src/trace/journal.ts'
import { notedCall, planFrom } from './plan-notation.ts'

/** `a`, or `search:a`: tool and input. Equal texts are equal calls. */
export type Sequence = readonly string[]

/** The log of a sequence: each call is triggered by the answer of the one before it. */
export function recordedSequence(sequence: Sequence): string {
  let before: string | null = null
  const seen = new Map<string, number>()
  const tokens = sequence.map(call => {
    const times = seen.get(call) ?? 0
    seen.set(call, times + 1)
    const label = `${call}${"'".repeat(times)}`
    const token = `+${label}@${before ?? 'start'} -${label}`
    before = label
    return token
  })
  return tokens.join(' ')
}

export interface Replayed {
  readonly facts: readonly Fact[]
  readonly findings: readonly Finding[]
  /** `changed-input 2`: kind and recorded call, or `extra` and the live call, in order. */
  readonly kinds: readonly string[]
}

export function replaySequence(recorded: Sequence, live: Sequence): Replayed {
  const plan = planFrom(recordedSequence(recorded))
  const facts: Fact[] = []
  const session = createSession(plan, fact => facts.push(fact), { onDivergence: 'continue' })
  for (const call of live) {
    const made = makeCall(call)
    untilAnswered(made)
  }
  const findings = callFindings(evidenceOf(plan, facts), liveCallsOf(facts), plan.calls)
  const kinds = findings.map(({ kind, call, live: number }) => `${kind} ${call ?? `live ${number}`}`)
  return { facts, findings, kinds }

  function makeCall(text: string): LiveCall {
    const { tool, input } = notedCall(text)
    const target = { kind: 'tool', name: tool } as const
    const answer = session.call({
      target,
      identity: `tool ${tool}`,
      parent: null,
      sync: false,
      pulls: false,
      prompt: true,
      afterEnd: false,
      same: number => plan.calls[number - 1]!.keys.includes(input),
      key: () => input,
    })
    facts.push(madeFact(answer, target, input))
    return answer.live
  }

  /** The agent waits for each call, so the run is idle when no turn answers it. */
  function untilAnswered(call: LiveCall): void {
    for (;;) {
      const handout = session.turn() ?? session.idle()
      if (handout === null) throw new Error(`nothing answers live call ${call.number}`)
      if (handout.live === call) return
    }
  }
}

function madeFact(
  { kind, live, hastyBefore }: Answer,
  target: { kind: 'tool'; name: string },
  input: string,
): Fact {
  return {
    kind: 'made',
    live: live.number,
    at: 0,
    target,
    call: live.call === null ? null : live.call + 1,
    verdict: live.verdict,
    answer: kind,
    input,
    parent: null,
    trigger: 'start',
    shape: 'async',
    policy: 'frozen',
    ...(hastyBefore !== null && { hastyBefore }),
  }
}

function evidenceOf(plan: Plan, facts: readonly Fact[]): Evidence {
  return {
    plan,
    facts,
    processEnd: { exitCode: null, signal: null, silentMs: null, interrupted: false },
    recordedInput: call => call.keys[0]!,
    recordedExchange: () => null,
    recordedResult: () => null,
    recordedOutput: () => null,
    locate: () => null,
    mapStack: () => [],
    isScript: false,
    compareOutput: false,
  }
}
