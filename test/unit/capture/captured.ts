/** Journals as bundles on disk, and the plans of these. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type RecordedRun, recordedRun } from '../../../src/capture/recorded-run.ts'
import type { Json } from '../../../src/json/value.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { planOf } from '../../../src/plan/plan-of.ts'
import { newRecording, writeRun } from '../../../src/run/finish-recording.ts'
import { openPayloads } from '../../../src/store/payloads.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import type { TraceEvent } from '../../../src/trace/event.ts'
import type { Fact } from '../../../src/trace/journal.ts'

export function captured(facts: readonly Fact[], input: Json = null): RecordedRun {
  let ids = 0
  return recordedRun(facts, {
    runId: 'run_1',
    input,
    inputFindings: [],
    newId: () => `evt_${(ids++).toString(16).padStart(32, '0')}`,
    locate: () => null,
  })
}

/** Each event in a line: step, type, name, `<` and the step of its parent. */
export function told({ events }: RecordedRun): string[] {
  const stepOf = new Map(events.map(event => [event.id, event.step]))
  return events.map(event => {
    const parent = event.parent_id === null ? '' : ` < ${stepOf.get(event.parent_id)}`
    return `${event.step} ${event.type}${labelOf(event)}${event.status === 'ok' ? '' : ` ${event.status}`}${parent}`
  })
}

function labelOf(event: TraceEvent): string {
  if ('name' in event) return ` ${event.name}`
  if ('model' in event) return ` ${event.model}`
  if ('error_type' in event) return ` ${event.error_type}`
  return 'run_status' in event ? ` ${event.run_status}` : ''
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-capture-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

/** The path of the bundle that this journal becomes. */
export function saved(facts: readonly Fact[]): string {
  const path = join(folder, `${count++}.sftrace`)
  writeRun(
    path,
    captured(facts),
    { ...newRecording('captured', null, null, {}), run_id: 'run_1' },
    { overwrite: false },
  )
  return path
}

export function planned(facts: readonly Fact[]): Plan {
  return planAt(saved(facts))
}

export function planAt(path: string): Plan {
  const payloads = openPayloads(path)
  try {
    return planOf(readBundle(path), payloads.rawField, { mode: 'frozen', order: 'causal' })
  } finally {
    payloads.close()
  }
}
