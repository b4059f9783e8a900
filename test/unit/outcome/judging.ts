/** A recording in a few words, a journal written by hand beside it, and the verdict on the two. */

import type { RecordedError } from '../../../src/json/error-record.ts'
import type { Json } from '../../../src/json/value.ts'
import { liveKey } from '../../../src/match/match-keys.ts'
import type { Evidence } from '../../../src/outcome/evidence.ts'
import { type Judgement, judgeRun } from '../../../src/outcome/judge-run.ts'
import { identityOf } from '../../../src/plan/identity.ts'
import type { Plan, PlannedCall } from '../../../src/plan/plan.ts'
import { emptyPlan } from '../../../src/plan/plan-of.ts'
import type { Target } from '../../../src/trace/call.ts'
import type { Fact, MadeFact } from '../../../src/trace/journal.ts'

export interface RecordedNote extends Partial<PlannedCall> {
  /** A tool's name, or `model:` and that of a model. */
  readonly name: string
  readonly input?: Json
  readonly result?: Json
  /** It was still open when the next call was made. */
  readonly isSlow?: boolean
}

export interface Setting extends Partial<Omit<Plan, 'calls' | 'end'>> {
  readonly end?: {
    readonly status: 'completed' | 'failed'
    readonly failure?: { type: string; message: string }
  } | null
  readonly output?: Json
  readonly evidence?: Partial<Evidence>
}

/** A live run that is written down as it goes. */
export interface Live {
  /** Call `number` of the recording, answered from there. */
  matches(number: number, more?: Partial<MadeFact>): number
  made(name: string, input: Json, more: Partial<MadeFact>): number
  /** A call that was refused. */
  refused(name: string, input: Json, more?: Partial<MadeFact>): number
  /** Call `number` with another input, which got the recorded answer. */
  changes(number: number, input: Json, more?: Partial<MadeFact>): number
  fact(fact: Fact): void
  completes(output?: Json): void
  fails(name: string, message: string, refusedLive?: number | null): void
}

export function judge(
  recorded: readonly RecordedNote[],
  play: (live: Live) => void,
  { end = { status: 'completed' }, output = 'done', evidence = {}, ...ofPlan }: Setting = {},
): Judgement {
  const plan: Plan = {
    ...emptyPlan('judged', 'run_1'),
    mode: 'frozen',
    live: [],
    hasTriggers: true,
    ...logOf(recorded),
    end: end === null ? null : { failure: null, at: 100, output: SLICE, ...end },
    ...ofPlan,
  }
  const facts: Fact[] = [BEGAN]
  play(liveRun(plan, facts))
  return judgeRun({
    plan,
    facts,
    processEnd: { exitCode: null, signal: null, silentMs: null, interrupted: false },
    recordedInput: call => recorded[call.number - 1]!.input ?? {},
    recordedExchange: () => null,
    recordedResult: call => recorded[call.number - 1]!.result ?? null,
    recordedOutput: () => output,
    locate: site =>
      ({ file: site.frames[0]!, line: 1, column: 1, function: null, frame: [], callers: [] }) as never,
    mapStack: stack => stack.split('\n'),
    isScript: false,
    compareOutput: true,
    ...evidence,
  })
}

/** Divergences in a line each: kind, call, and the cause it follows from. */
export function found({ divergences }: Judgement): string[] {
  return divergences.map(({ kind, call, live, causedBy, occurrences }) =>
    [
      kind,
      ...(call !== null ? [call] : live !== null ? [`live ${live}`] : []),
      ...(occurrences > 1 ? [`x${occurrences}`] : []),
      ...(causedBy !== null ? [`< ${causedBy}`] : []),
    ].join(' '),
  )
}

const SLICE = { offset: 0, length: 0 }
const BEGAN: Fact = { kind: 'began', version: 1, wallClock: '2026-12-01T10:00:00.000Z', node: 'v20', pid: 1 }

function logOf(recorded: readonly RecordedNote[]): Pick<Plan, 'calls' | 'deliveries'> {
  const calls: PlannedCall[] = []
  const deliveries: Plan['deliveries'][number][] = []
  const slow: number[] = []
  for (const [index, { name, input = {}, result: _, isSlow = false, ...more }] of recorded.entries()) {
    const target = targetOf(name)
    calls.push({
      number: index + 1,
      step: index * 2 + 1,
      target,
      identity: identityOf(target),
      keys: [liveKey(input, { jsonTexts: false })],
      request: SLICE,
      outcome: SLICE,
      error: null,
      due: deliveries.length,
      parts: [],
      at: index,
      trigger: null,
      shape: 'async',
      inside: null,
      policy: 'frozen',
      treatment: 'serve',
      refusal: null,
      site: null,
      ...more,
    })
    if (isSlow) slow.push(index)
    else for (const call of [index, ...slow.splice(0)]) ends(call)
  }
  for (const call of slow) ends(call)
  return { calls, deliveries }

  function ends(call: number): void {
    ;(calls[call]!.parts as number[]).push(deliveries.length)
    deliveries.push({ call, part: 'end', after: calls.length, at: calls.length })
  }
}

function targetOf(name: string): Target {
  return name.startsWith('model:')
    ? { kind: 'llm', provider: 'openai', model: name.slice('model:'.length) }
    : { kind: 'tool', name }
}

function liveRun(plan: Plan, facts: Fact[]): Live {
  let lives = 0
  const fact = (one: Fact): void => void facts.push(one)
  const made = (target: Target, more: Partial<MadeFact>): number => {
    const live = ++lives
    fact({
      kind: 'made',
      live,
      at: live,
      target,
      call: null,
      verdict: 'matched',
      answer: 'serve',
      parent: null,
      trigger: null,
      shape: 'async',
      policy: 'frozen',
      ...more,
    })
    if (more.answer !== 'pending')
      fact({
        kind: 'delivered',
        live,
        at: live,
        part: 'end',
        status: more.answer === 'refuse' ? 'error' : 'ok',
      })
    return live
  }
  const settled = (error: RecordedError, refusedLive: number | null): Fact => {
    const stack = `${error.name}: ${error.message}\n    at answer (agent.ts:3:1)`
    return { kind: 'settled', at: 50, status: 'failed', error, stack, refusedLive }
  }
  return {
    fact,
    made: (name, input, more) => made(targetOf(name), { input, ...more }),
    matches: (number, more = {}) => made(plan.calls[number - 1]!.target, { call: number, ...more }),
    changes: (number, input, more = {}) =>
      made(plan.calls[number - 1]!.target, {
        call: number,
        verdict: 'changed-input',
        answer: 'lend',
        input,
        site: { frames: ['agent.ts'] },
        ...more,
      }),
    refused: (name, input, more = {}) =>
      made(targetOf(name), {
        verdict: 'extra',
        answer: 'refuse',
        input,
        site: { frames: ['agent.ts'] },
        ...more,
      }),
    completes: (output = 'done') => fact({ kind: 'settled', at: 50, status: 'completed', output }),
    fails: (name, message, refusedLive = null) => fact(settled({ name, message }, refusedLive)),
  }
}
