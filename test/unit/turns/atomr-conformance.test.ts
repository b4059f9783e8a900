import { describe, expect, it } from 'vitest'
import { InMemoryStepRecordStore } from '../../../src/store/memory-step-store.ts'
import { completeInference, completeStep, parseStepRecord } from '../../../src/turns/read-record.ts'
import { recordTurn } from '../../../src/turns/record-turn.ts'
import { ReplayProvider } from '../../../src/turns/replay-provider.ts'
import type { InferenceRecord, StepRecord } from '../../../src/turns/step-record.ts'
import { type Turn, turnFromRecord } from '../../../src/turns/turn.ts'
import { formatInferenceRecord, formatStepRecord } from '../../../src/turns/write-record.ts'
import {
  askTurns,
  expectedOf,
  linesOf,
  operate,
  type Run,
  type StoreOperation,
  withoutTexts,
} from './atomr-lines.ts'

interface RecordLine {
  readonly id: string
  readonly class: 'record' | 'built'
  readonly note: string
  readonly text?: string
  readonly output?: string
  readonly refusal?: object
}

describe('a step record reads and writes as in the Rust crates', () => {
  const records = linesOf<RecordLine>('records.jsonl')

  it.each(records.filter(line => line.class === 'record' && line.output !== undefined))('$id $note', line => {
    const written = formatStepRecord(parseStepRecord(line.text!))
    // The crate keeps a snapshot in a hash map, so the order of several keys is not fixed; ours sorts them.
    if (/order is not fixed/.test(line.note)) expect(JSON.parse(written)).toEqual(JSON.parse(line.output!))
    else expect(written).toBe(line.output)
    expect(formatStepRecord(parseStepRecord(written))).toBe(written)
  })

  it.each(records.filter(line => line.refusal !== undefined))('$id refuses: $note', line => {
    expect(() => parseStepRecord(line.text!)).toThrow(
      expect.objectContaining({ code: 'STEP_RECORD_INVALID' }),
    )
  })

  it.each(records.filter(line => line.class === 'built'))('$id $note', line => {
    expect(formatStepRecord(completeStep(line))).toBe(line.output)
  })
})

interface TurnLine {
  readonly id: string
  readonly class: 'decode' | 'encode'
  readonly note: string
  readonly inference: InferenceRecord
  readonly turn?: Turn
  readonly error?: { readonly kind: string }
  readonly refusal?: object
  readonly provider: string
  readonly model_id: string
  readonly model_version: string
  readonly params_hash: string
  readonly prompt_hash: string
  readonly output: string
  readonly back: Turn
}

describe('a turn comes out of its record as in the Rust crates', () => {
  const turns = linesOf<TurnLine>('turns.jsonl')

  it.each(turns.filter(line => line.class === 'decode'))('$id $note', line => {
    if (line.turn !== undefined) return expect(turnFromRecord(line.inference)).toEqual(line.turn)
    const fault = line.error === undefined ? { code: 'STEP_RECORD_INVALID' } : { kind: line.error.kind }
    return expect(() => turnFromRecord(line.inference)).toThrow(expect.objectContaining(fault))
  })

  it.each(turns.filter(line => line.class === 'encode'))('$id $note', line => {
    const origin = {
      provider: line.provider,
      modelId: line.model_id,
      modelVersion: line.model_version,
      paramsHash: line.params_hash,
      promptHash: line.prompt_hash,
    }
    const record = recordTurn(origin, line.turn!)
    expect(record).toEqual(completeInference(line.inference))
    expect(formatInferenceRecord(record)).toBe(line.output)
    expect(turnFromRecord(record)).toEqual(line.back)
  })
})

type RunLine = Run & {
  readonly id: string
  readonly note: string
  readonly run: string
  readonly runs: number
  readonly steps: readonly StepRecord[]
}

describe('recorded turns are served as by the Rust crates', () => {
  it.each(linesOf<RunLine>('replay-runs.jsonl'))('$id $note', async line => {
    expect(await askTurns(ReplayProvider.fromSteps(line.run, line.steps), line.runs)).toEqual(
      withoutTexts(line),
    )
  })
})

interface StoreLine {
  readonly id: string
  readonly note: string
  readonly ops: readonly StoreOperation[]
  readonly memory: readonly unknown[]
  readonly memory_len: number
}

describe('a store in memory answers as that of the Rust crates', () => {
  it.each(linesOf<StoreLine>('stores.jsonl'))('$id $note', async line => {
    const store = new InMemoryStepRecordStore()
    for (const [at, operation] of line.ops.entries()) {
      expect(await operate(store, ReplayProvider.load, operation)).toEqual(expectedOf(line.memory[at]))
    }
    expect(store.size).toBe(line.memory_len)
  })
})
