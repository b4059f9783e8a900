/** Bundles to test with: those in the fixtures, the Python implementation's own when they are there, and new ones. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import type { Json } from '../../../src/json/value.ts'
import { type NewBundle, writeBundle } from '../../../src/store/write-bundle.ts'
import type { TraceEvent } from '../../../src/trace/event.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const RECORDED = join(ROOT, 'test/fixtures/recorded-0.2.1')
/** Other people's test data, beside a checkout of ours or not there. */
const GOLDEN = join(ROOT, '../shared/conformance/golden')

export const recorded = bundlesIn(RECORDED)
export const golden = existsSync(GOLDEN) ? bundlesIn(GOLDEN) : []
if (golden.length === 0) process.stderr.write(`SKIPPED: no golden bundles at ${GOLDEN}\n`)

function bundlesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.sftrace'))
    .map(name => join(folder, name))
}

export function goldenBundle(name: string): string {
  return join(GOLDEN, `${name}.sftrace`)
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-test-'))
let count = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A path that is not there yet. */
export function freshPath(name = 'run.sftrace'): string {
  const parent = mkdtempSync(join(folder, `${count++}-`))
  return join(parent, name)
}

/** A copy that may be changed. */
export function copyOf(bundle: string, name?: string): string {
  const path = freshPath(name)
  cpSync(bundle, path, { recursive: true })
  return path
}

/** Replaces the text of a file in a bundle. */
export function edit(bundle: string, file: string, change: (text: string) => string): void {
  const path = join(bundle, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

export function eventOf(
  step: number,
  fields: Partial<TraceEvent> & { readonly type: TraceEvent['type'] },
): TraceEvent {
  return {
    id: `evt_${step.toString(16).padStart(32, '0')}`,
    run_id: 'run_1',
    parent_id: null,
    step,
    timestamp: `2026-12-01T10:00:00.${String(step % 1_000_000).padStart(6, '0')}Z`,
    duration_ms: null,
    status: 'ok',
    replay_policy: 'frozen',
    ...fields,
  } as TraceEvent
}

/** A run of one tool call with this input and output. */
export function oneCall(input: Json, output: Json = null): NewBundle {
  return {
    manifest: {
      run_id: 'run_1',
      agent_name: 'support',
      created_at: '2026-12-01T10:00:00.000000Z',
      status: 'completed',
      failure: null,
      environment: { python: null, os: 'linux', stepfork_version: '0.1.0' },
    },
    events: [
      eventOf(0, { type: 'run_start', input: null }),
      eventOf(1, { type: 'tool_call', name: 'search', input }),
      eventOf(2, { type: 'tool_result', name: 'search', output }),
      eventOf(3, { type: 'run_end', run_status: 'completed', output: null }),
    ],
  }
}

export function written(bundle: NewBundle): string {
  const path = freshPath()
  writeBundle(path, bundle)
  return path
}
