import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStepforkError, StepforkError } from '../../../src/errors.ts'
import { sameJson } from '../../../src/json/compare.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import { assertWritable } from '../../../src/store/assert-writable.ts'
import { openPayloads } from '../../../src/store/payloads.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { writeBundle } from '../../../src/store/write-bundle.ts'
import type { TraceEvent } from '../../../src/trace/event.ts'
import type { OriginHeader } from '../../../src/trace/origin.ts'
import { validateBundle } from '../../../src/validate.ts'
import { arbitraryJson } from '../json/arbitrary-json.ts'
import { copyOf, eventOf, freshPath, oneCall, recorded, written } from './bundles.ts'

const read = (path: string, name: string): string => readFileSync(join(path, name), 'utf8')

/** The code of the error that a call throws. */
function codeOf(call: () => void): string {
  try {
    call()
  } catch (error) {
    if (isStepforkError(error)) return error.code
    throw error
  }
  return 'none'
}

describe('a written bundle', () => {
  it('is valid, verified, and for its owner only', () => {
    const path = written(oneCall({ b: 1, a: [1.5] }, { rows: [] }))
    expect(validateBundle(path, { verifyIntegrity: true })).toMatchObject({
      valid: true,
      exitCode: 0,
      events: 4,
    })
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(path))).toEqual(['run.sftrace'])
  })

  it('holds the fields of each event in the order of the format, null payloads hashed', () => {
    const [start] = read(written(oneCall(null)), 'events.jsonl').split('\n')
    expect(start).toBe(
      '{"id":"evt_00000000000000000000000000000000","run_id":"run_1","parent_id":null,"step":0,"type":"run_start",' +
        '"timestamp":"2026-12-01T10:00:00.000000Z","duration_ms":null,"status":"ok","replay_policy":"frozen",' +
        '"input_hash":"74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b","output_hash":null,' +
        '"redactions":[],"input":null}',
    )
  })

  it('keeps any payload: value, member order, digest', () => {
    fc.assert(
      fc.property(arbitraryJson, arbitraryJson, (input, output) => {
        const path = written(oneCall(input, output))
        expect(validateBundle(path, { verifyIntegrity: true }).issues).toEqual([])
        const payloads = openPayloads(path)
        const { events } = readBundle(path)
        expect(sameJson(parseJson(payloads.rawField(events[1]!.line, 'input')), input)).toBe(true)
        expect(sameJson(parseJson(payloads.rawField(events[2]!.line, 'output')), output)).toBe(true)
        payloads.close()
      }),
      { numRuns: 40 },
    )
  })

  it('takes a payload as deep as a value may be', () => {
    let deep: unknown = 1
    for (let level = 0; level < 1000; level++) deep = [deep]
    const path = written(oneCall(deep as never))
    expect(validateBundle(path, { verifyIntegrity: true }).issues).toEqual([])
    expect(codeOf(() => written(oneCall([deep] as never)))).toBe('NOT_JSON')
  })

  it('hides secrets before hashing, wherever they stand, and lists the places', () => {
    const bundle = oneCall({ z: 1, password: 'hunter2', note: 'Bearer abcdefgh1' })
    const manifest = {
      ...bundle.manifest,
      agent_name: 'ghp_abcdefgh',
      status: 'failed' as const,
      failure: { type: 'E', message: 'lost sk-abcdefgh', step: null },
    }
    const origin = { header: { ...HEADER, agent: { command: ['run', '--key', 'sk-abcdefgh'] } }, log: [] }
    const path = freshPath()
    writeBundle(path, { ...bundle, manifest, origin })
    for (const name of readdirSync(path)) expect(read(path, name)).not.toMatch(/hunter2|abcdefgh/)
    expect(JSON.parse(read(path, 'redactions.json')).entries.map(Object.values)).toEqual([
      ['evt_00000000000000000000000000000001', '/input/note', 'credential_pattern', '[REDACTED]'],
      ['evt_00000000000000000000000000000001', '/input/password', 'sensitive_key', '[REDACTED]'],
      ['__manifest__', '/agent_name', 'credential_pattern', '[REDACTED]'],
      ['__manifest__', '/failure/message', 'credential_pattern', '[REDACTED]'],
    ])
    expect(read(path, 'events.jsonl')).toContain('"redactions":["/input/note","/input/password"]')
    expect(read(path, 'events.jsonl')).toContain('{"z":1,"password":"[REDACTED]","note":"Bearer [REDACTED]"}')
    expect(validateBundle(path, { verifyIntegrity: true, partial: true }).valid).toBe(true)
  })

  it('lists what was redacted before, once', () => {
    const finding = { path: '/input/password', reason: 'sensitive_key' } as const
    const call = {
      ...eventOf(1, { type: 'tool_call', name: 's', input: { password: '[REDACTED]' } }),
      findings: [finding, finding],
    }
    const path = written({ ...oneCall(null), events: [eventOf(0, { type: 'run_start', input: null }), call] })
    expect(JSON.parse(read(path, 'redactions.json')).entries).toHaveLength(1)
    expect(read(path, 'events.jsonl')).toContain('"redactions":["/input/password"]')
  })

  it('counts events, calls and costs', () => {
    const none = { prompt_tokens: null, completion_tokens: null, total_tokens: null }
    const events = [
      eventOf(0, { type: 'run_start', input: null }),
      eventOf(1, { type: 'llm_request', provider: null, model: 'm', input: 1 }),
      eventOf(2, { type: 'llm_response', model: 'm', output: 1, ...none, cost_usd: 0.25 }),
      eventOf(3, { type: 'llm_response', model: 'm', output: 1, ...none, cost_usd: 0.5 }),
      eventOf(4, { type: 'tool_call', name: 't', input: 1 }),
    ]
    const { totals } = readBundle(written({ ...oneCall(null), events })).manifest
    expect(totals).toEqual({ events: 5, llm_calls: 1, tool_calls: 1, cost_usd: 0.75, duration_ms: null })
    const manifest = { ...oneCall(null).manifest, totals: { cost_usd: null, duration_ms: 12 } }
    expect(readBundle(written({ manifest, events })).manifest.totals).toMatchObject({
      cost_usd: null,
      duration_ms: 12,
    })
  })

  it('brings its sidecars back', () => {
    const log = [
      {
        call: 1,
        event: 'evt_00000000000000000000000000000001',
        at: 0.5,
        trigger: 'start',
        shape: 'async',
        inside: null,
        site: 'a.ts:1:2 f',
      },
      { call: 1, part: 'end', at: 2 },
    ] as const
    const values = [
      { event: 'evt_00000000000000000000000000000002', member: 'output', path: '', is: 'undefined' },
    ] as const
    const path = written({ ...oneCall(null), origin: { header: HEADER, log }, values })
    const bundle = readBundle(path)
    expect(bundle.origin).toEqual({ header: HEADER, log })
    expect(bundle.values).toEqual(values)
    expect(bundle.integrity).toBe('verified')
    expect(Object.keys(JSON.parse(read(path, 'integrity.json')).files)).toEqual([
      'manifest.json',
      'events.jsonl',
      'redactions.json',
      'x-origin.jsonl',
      'x-values.jsonl',
    ])
    writeFileSync(join(path, 'x-values.jsonl'), read(path, 'x-values.jsonl').replace('undefined', 'lost'))
    expect(readBundle(path).integrity).toBe('mismatch')
  })
})

const HEADER: OriginHeader = {
  format: 'stepfork-origin',
  version: 1,
  recorder: { name: 'stepfork', version: '0.1.0', node: 'v20.20.2' },
  redaction: 'compatible',
  keeps_order: true,
  parent_run_id: null,
  agent: { file: 'agent.ts', export: 'run' },
  environment: { tz: 'UTC', locale: 'en', node_env: null },
}

describe('writing where something is already', () => {
  it('needs leave to replace a bundle, and then replaces the whole of it', () => {
    const path = written({ ...oneCall({ old: 1 }), origin: { header: HEADER, log: [] } })
    expect(codeOf(() => writeBundle(path, oneCall({ new: 1 })))).toBe('BUNDLE_EXISTS')
    expect(read(path, 'events.jsonl')).toContain('"old"')
    writeBundle(path, oneCall({ new: 1 }), { overwrite: true })
    expect(read(path, 'events.jsonl')).toContain('"new"')
    expect(readBundle(path)).toMatchObject({ integrity: 'verified', origin: null })
    expect(readdirSync(dirname(path))).toEqual(['run.sftrace'])
  })

  it('leaves a folder alone that is no bundle, and a file', () => {
    const notes = freshPath('notes.sftrace')
    mkdirSync(notes)
    writeFileSync(join(notes, 'notes.txt'), 'mine')
    expect(codeOf(() => writeBundle(notes, oneCall(1), { overwrite: true }))).toBe('BUNDLE_EXISTS')
    expect(readdirSync(notes)).toEqual(['notes.txt'])
    const file = freshPath()
    writeFileSync(file, 'mine')
    expect(codeOf(() => writeBundle(file, oneCall(1), { overwrite: true }))).toBe('BUNDLE_EXISTS')
    expect(readFileSync(file, 'utf8')).toBe('mine')
    const link = freshPath()
    symlinkSync('nowhere', link)
    expect(codeOf(() => writeBundle(link, oneCall(1), { overwrite: true }))).toBe('BUNDLE_EXISTS')
  })

  it('fills an empty folder, and makes the folders above', () => {
    const empty = freshPath()
    mkdirSync(empty)
    writeBundle(empty, oneCall(1))
    expect(readBundle(empty).integrity).toBe('verified')
    const far = join(freshPath('a'), 'b', 'run.sftrace')
    writeBundle(far, oneCall(1))
    expect(readBundle(far).integrity).toBe('verified')
  })

  it('keeps files in a bundle that are not of it', () => {
    const path = written(oneCall({ old: 1 }))
    mkdirSync(join(path, 'screens'))
    writeFileSync(join(path, 'screens', 'one.png'), 'png')
    writeFileSync(join(path, 'README.md'), 'why this run')
    writeBundle(path, oneCall({ new: 1 }), { overwrite: true })
    expect(read(path, 'README.md')).toBe('why this run')
    expect(read(join(path, 'screens'), 'one.png')).toBe('png')
    expect(read(path, 'events.jsonl')).toContain('"new"')
  })

  it('writes through a link to a bundle and leaves the link', () => {
    const path = written(oneCall({ old: 1 }))
    const link = freshPath()
    symlinkSync(path, link)
    writeBundle(link, oneCall({ new: 1 }), { overwrite: true })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(read(path, 'events.jsonl')).toContain('"new"')
  })

  it('can be asked before a run begins', () => {
    const path = written(oneCall(1))
    expect(codeOf(() => assertWritable(path))).toBe('BUNDLE_EXISTS')
    expect(codeOf(() => assertWritable(path, true))).toBe('none')
    expect(codeOf(() => assertWritable(freshPath()))).toBe('none')
    expect(codeOf(() => assertWritable(freshPath('run.trace')))).toBe('USAGE')
    expect(codeOf(() => assertWritable(join(path, 'manifest.json', 'run.sftrace')))).toBe('WRITE_FAILED')
  })
})

describe('a bundle that cannot be written', () => {
  it('leaves nothing behind, and the old one in place', () => {
    const path = written(oneCall({ old: 1 }))
    const bad: TraceEvent[] = [
      eventOf(1, { type: 'tool_call', name: '', input: 1 }),
      eventOf(1, { type: 'tool_call', name: 'x', input: Number.NaN }),
      eventOf(1, { type: 'tool_call', name: 'x', input: '\ud800' }),
      eventOf(1, { type: 'tool_call', name: 'x', input: 1, id: 'sk-abcdefgh' }),
      eventOf(1, { type: 'tool_call', name: 'x', input: 1, timestamp: '2026-12-01T10:00:00' }),
      eventOf(-1, { type: 'tool_call', name: 'x', input: 1 }),
    ]
    for (const event of bad) {
      const events = [eventOf(0, { type: 'run_start', input: null }), event]
      expect(() => writeBundle(path, { ...oneCall(1), events }, { overwrite: true })).toThrow(StepforkError)
    }
    expect(read(path, 'events.jsonl')).toContain('"old"')
    expect(readdirSync(dirname(path))).toEqual(['run.sftrace'])
  })

  it('says which event is wrong', () => {
    const events = [eventOf(1, { type: 'tool_call', name: '', input: 1 })]
    expect(() => written({ ...oneCall(1), events })).toThrow(
      /the event evt_0+1 \(tool_call\) has an empty name/,
    )
  })
})

describe('the Python implementation', () => {
  const python = process.env.STEPFORK_PYTHON
  const validate =
    'import sys\nfrom stepfork.trace.validation import validate_bundle\n' +
    'for path in sys.argv[1:]:\n    print(validate_bundle(path, verify_integrity=True).issues)\n'

  it.skipIf(python === undefined)('reads and verifies what was written', () => {
    const paths = [
      written({ ...oneCall({ b: 1, a: [1.5, 1e-7, 1e21, 2n ** 70n] }), origin: { header: HEADER, log: [] } }),
      written(oneCall({ '😀': 'é\u2028', '～': '\u0001' }, { password: 'x' })),
      ...recorded.map(path => copyOf(path)),
    ]
    const answers = execFileSync(python!, ['-c', validate, ...paths], { encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(answers).toEqual(paths.map(() => '[]'))
    expect(existsSync(paths[0]!)).toBe(true)
  })
})
