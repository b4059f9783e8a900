/** Journals written by hand, one fact after the other, a millisecond apart. */

import type { RecordedError } from '../../../src/json/error-record.ts'
import type { Json } from '../../../src/json/value.ts'
import type { Shape, Target } from '../../../src/trace/call.ts'
import type { DeliveredFact, Fact, MadeFact } from '../../../src/trace/journal.ts'

export interface Journal {
  readonly facts: readonly Fact[]
  call(name: string, more?: Partial<MadeFact>): number
  model(name: string, more?: Partial<MadeFact>): number
  chunk(live: number, value: Json, more?: Partial<DeliveredFact>): void
  returns(live: number, value: Json, more?: Partial<DeliveredFact>): void
  throws(live: number, error: RecordedError): void
  abandons(live: number): void
  aborts(live: number): void
  completes(output?: Json): Fact[]
  fails(error: RecordedError): Fact[]
}

export function journal(): Journal {
  const facts: Fact[] = [
    { kind: 'began', version: 1, wallClock: '2026-12-01T10:00:00.000Z', node: 'v20.19.0', pid: 1 },
  ]
  let lives = 0
  const add = (fact: Fact): void => void facts.push(fact)
  const made = (target: Target, more: Partial<MadeFact>): number => {
    add({
      kind: 'made',
      live: ++lives,
      at: facts.length,
      target,
      call: null,
      verdict: 'unplanned',
      answer: 'run',
      input: {},
      parent: null,
      trigger: 'start',
      shape: 'async' satisfies Shape,
      policy: 'frozen',
      ...more,
    })
    return lives
  }
  const delivered = (live: number, part: 'chunk' | 'end', more: Partial<DeliveredFact>): void =>
    add({ kind: 'delivered', live, at: facts.length, part, status: 'ok', ...more })
  return {
    facts,
    call: (name, more = {}) => made({ kind: 'tool', name }, more),
    model: (model, more = {}) => made({ kind: 'llm', provider: 'openai', model }, more),
    chunk: (live, value, more = {}) => delivered(live, 'chunk', { value, ...more }),
    returns: (live, value, more = {}) => delivered(live, 'end', { value, ...more }),
    throws: (live, error) => delivered(live, 'end', { status: 'error', error }),
    abandons: live => add({ kind: 'abandoned', at: facts.length, live }),
    aborts: live => add({ kind: 'aborted', at: facts.length, live }),
    completes: (output = null) => {
      add({ kind: 'settled', at: facts.length, status: 'completed', output })
      return facts
    },
    fails: error => {
      add({ kind: 'settled', at: facts.length, status: 'failed', error, stack: null, refusedLive: null })
      return facts
    },
  }
}
