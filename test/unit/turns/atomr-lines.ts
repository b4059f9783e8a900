/**
 * The conformance data of the Rust crates (test/fixtures/atomr). Step numbers go beyond 2^53, so the lines are read by our
 * own parser, which makes bigints of them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../src/json/parse-json.ts'
import { completeStep } from '../../../src/turns/read-record.ts'
import type { ReplayProvider } from '../../../src/turns/replay-provider.ts'
import type { CheckpointKey, StepRecord } from '../../../src/turns/step-record.ts'
import type { StepRecordStore } from '../../../src/turns/step-store.ts'
import type { Turn } from '../../../src/turns/turn.ts'

export const ATOMR = join(import.meta.dirname, '../../fixtures/atomr')

export function linesOf<T extends { readonly id: string }>(name: string): readonly T[] {
  const lines = readFileSync(join(ATOMR, name), 'utf8')
    .split('\n')
    .filter(line => line !== '')
  return lines.map(line => parseJson(line) as unknown as T)
}

export interface Run {
  readonly provider: string
  readonly start_remaining: number
  readonly results: readonly RunResult[]
}

type RunResult =
  | { readonly turn: Turn; readonly remaining: number }
  | { readonly error: { readonly kind: string }; readonly remaining: number }

/** Asks a provider as the crate was asked; of an error only its kind is told. */
export async function askTurns(provider: ReplayProvider, runs: number): Promise<Run> {
  const start_remaining = provider.remaining
  const results: RunResult[] = []
  for (let at = 0; at < runs; at++) {
    const said = await provider.run().then(
      turn => ({ turn }),
      error => ({ error: { kind: error.kind as string } }),
    )
    results.push({ ...said, remaining: provider.remaining })
  }
  return { provider: provider.provider, start_remaining, results }
}

/** What the crate said, without the texts of its errors. */
export function withoutTexts(run: Run): Run {
  const results = run.results.map(result =>
    'error' in result ? { error: { kind: result.error.kind }, remaining: result.remaining } : result,
  )
  return { provider: run.provider, start_remaining: run.start_remaining, results }
}

export type StoreOperation =
  | { readonly save: StepRecord }
  | { readonly load: CheckpointKey }
  | { readonly list: RunName }
  | { readonly replay: RunName & { readonly runs: number } }

interface RunName {
  readonly workflow_id: string
  readonly run_id: string
}

/** The result in the shape of the data; an error of the store is only an `error`. */
export async function operate(
  store: StepRecordStore,
  load: typeof ReplayProvider.load,
  operation: StoreOperation,
): Promise<unknown> {
  try {
    if ('save' in operation) {
      await store.saveRecord(operation.save)
      return { saved: true }
    }
    if ('load' in operation) return { record: await store.loadRecord(operation.load) }
    const { workflow_id: workflowId, run_id: runId } = 'list' in operation ? operation.list : operation.replay
    if ('list' in operation) return { records: await store.listRecords(workflowId, runId) }
    return await askTurns(await load(store, { workflowId, runId }), operation.replay.runs)
  } catch (error) {
    return { error: (error as { code: string }).code }
  }
}

/** The expected result, with the texts of the crate's errors left out. */
export function expectedOf(result: unknown): unknown {
  const known = result as Partial<Run> & { readonly error?: unknown; readonly record?: unknown }
  if (known.error !== undefined) return { error: 'STEP_RECORD_INVALID' }
  return known.results === undefined ? result : withoutTexts(known as Run)
}

export function stepOf(value: unknown): StepRecord {
  return completeStep(value)
}
