import { rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Validation } from '../../../src/trace/validation.ts'
import { type ValidateOptions, validateBundle } from '../../../src/validate.ts'
import {
  copyOf,
  edit,
  eventOf,
  freshPath,
  golden,
  goldenBundle,
  oneCall,
  recorded,
  written,
} from './bundles.ts'

const single = recorded.find(path => path.includes('single_tool'))!
const STRICT = { verifyIntegrity: true }

/** Verdict, exit code and the codes of the issues. */
function verdict(path: string, options: ValidateOptions = STRICT): unknown[] {
  const { valid, exitCode, issues } = validateBundle(path, options)
  return [valid, exitCode, ...issues.map(issue => issue.code)]
}

describe('validating a bundle', () => {
  it('passes every recording of the Python implementation', () => {
    for (const path of recorded) {
      const partial = path.includes('midrun')
      expect(verdict(path, { ...STRICT, partial }), path).toEqual([true, 0])
    }
  })

  it.skipIf(golden.length === 0)('gives the golden bundles their verdicts', () => {
    for (const name of ['successful_run', 'failed_tool_run', 'failed_llm_run', 'diff_baseline']) {
      expect(verdict(goldenBundle(name)), name).toEqual([true, 0])
    }
    expect(verdict(goldenBundle('partial_run'))).toEqual([false, 1, 'run_start_count'])
    expect(verdict(goldenBundle('partial_run'), { ...STRICT, partial: true })).toEqual([true, 0])
    expect(verdict(goldenBundle('legacy_v01'), {})).toEqual([true, 0])
    expect(verdict(goldenBundle('legacy_v01'))).toEqual([false, 3, 'integrity_unverified'])
    expect(validateBundle(goldenBundle('legacy_v01'), STRICT).integrity).toEqual({
      status: 'unverified_legacy',
      files: { 'manifest.json': 'unverified', 'events.jsonl': 'unverified', 'redactions.json': 'unverified' },
    })
  })

  it('says everything that is wrong at once, in the order of the events', () => {
    const events = [
      eventOf(0, { type: 'tool_call', name: 'a', input: 1, id: 'a' }),
      eventOf(5, { type: 'tool_call', name: 'b', input: 1, id: 'a', parent_id: 'c' }),
      eventOf(3, { type: 'tool_call', name: 'c', input: 1, id: 'c', run_id: 'other', parent_id: 'nowhere' }),
      eventOf(4, { type: 'tool_call', name: 'd', input: 1, id: 'd', parent_id: 'd' }),
    ]
    const path = written({ ...oneCall(1), events })
    edit(path, 'manifest.json', text => text.replace('"events": 4', '"events": 999'))
    const { issues, exitCode } = validateBundle(path)
    expect(issues.map(({ code, event_id, step, location }) => [code, event_id, step, location])).toEqual([
      ['event_count_mismatch', null, null, 'manifest.json:totals.events'],
      ['duplicate_event_id', 'a', 5, null],
      ['parent_not_earlier', 'a', 5, null],
      ['run_id_mismatch', 'c', 3, null],
      ['step_order', 'c', 3, null],
      ['invalid_parent', 'c', 3, null],
      ['parent_not_earlier', 'd', 4, null],
      ['run_start_count', null, null, 'events.jsonl'],
    ])
    expect(issues[1]!.message).toBe('the event id a is used more than once')
    expect(exitCode).toBe(1)
  })

  it('wants an error event of a run that failed, but not of a part of one', () => {
    const { manifest, events } = oneCall(1)
    const failure = { type: 'E', message: 'm', step: 1 }
    const path = written({ manifest: { ...manifest, status: 'failed', failure }, events })
    expect(verdict(path)).toEqual([false, 1, 'missing_error_event'])
    expect(verdict(path, { partial: true })).toEqual([true, 0])
  })

  it('looks for secrets in sidecars of others as well, whatever they hold', () => {
    const path = copyOf(single)
    writeFileSync(join(path, 'x-other.jsonl'), 'no JSON, password=hunter2!x\n{"token":"a1"}\n')
    const { issues } = validateBundle(path, { secrets: { environment: {} } })
    expect(issues.map(({ code, location }) => [code, location])).toEqual([
      ['secret_found', join(path, 'x-other.jsonl:1')],
      ['secret_found', join(path, 'x-other.jsonl:2')],
    ])
  })

  it('finds a payload that was changed, a hash that is missing and one too many', () => {
    const changed = copyOf(single)
    edit(changed, 'events.jsonl', text => text.replace('"city":"Lisbon"', '"city":"Oporto"'))
    expect(verdict(changed, {})).toEqual([true, 0])
    expect(verdict(changed)).toEqual([false, 1, 'payload_hash_mismatch', 'integrity_mismatch'])
    const { issues, integrity } = validateBundle(changed, STRICT)
    expect(issues[0]!.location).toBe('events.jsonl:input_hash')
    expect(integrity).toEqual({
      status: 'mismatch',
      files: { 'manifest.json': 'verified', 'events.jsonl': 'mismatch', 'redactions.json': 'verified' },
    })
    const missing = copyOf(single)
    edit(missing, 'events.jsonl', text =>
      text
        .replace(/"input_hash":"[^"]*"/, '"input_hash":null')
        .replace('"output_hash":null', '"output_hash":"x"'),
    )
    expect(verdict(missing)).toEqual([
      false,
      1,
      'integrity_unverified',
      'payload_hash_mismatch',
      'integrity_mismatch',
    ])
  })

  it('tells 1 from 1.0 and one large integer from the next', () => {
    for (const [from, to] of [
      ['1', '1.0'],
      ['100', '1e2'],
      ['12345678901234567890', '12345678901234567891'],
    ] as const) {
      const path = written(oneCall({ b: 1, a: BigInt(from) }))
      edit(path, 'events.jsonl', text => text.replace(`"a":${from}`, `"a":${to}`))
      expect(verdict(path), to).toEqual([false, 1, 'payload_hash_mismatch', 'integrity_mismatch'])
    }
  })

  it('does not stumble over payloads that have no hash at all', () => {
    for (const payload of ['"\\ud800"', '1e400']) {
      const path = copyOf(single)
      edit(path, 'events.jsonl', text => text.replace('"Lisbon"', payload))
      expect(verdict(path), payload).toEqual([false, 1, 'payload_hash_mismatch', 'integrity_mismatch'])
    }
  })

  it('tells what is wrong with integrity.json itself', () => {
    const digest = '0'.repeat(64)
    const record = (files: object, more: object = {}): string =>
      JSON.stringify({ schema_version: '0.1', algorithm: 'sha256', files, ...more })
    const cases: [string, unknown[]][] = [
      ['{', [false, 2, 'integrity_metadata_invalid']],
      [record({}, { extra: 1 }), [false, 2, 'integrity_metadata_invalid']],
      [record({}, { algorithm: 'md5' }), [false, 2, 'integrity_algorithm_unsupported']],
      [
        record({ 'manifest.json': 'AA', 'events.jsonl': digest }),
        [false, 2, 'integrity_metadata_invalid', 'integrity_metadata_invalid'],
      ],
      [
        record({
          'manifest.json': digest,
          'events.jsonl': digest,
          'redactions.json': digest,
          '../../etc/passwd': digest,
        }),
        [false, 1, 'integrity_mismatch', 'integrity_mismatch', 'integrity_mismatch'],
      ],
    ]
    for (const [text, expected] of cases) {
      const path = copyOf(single)
      edit(path, 'integrity.json', () => text)
      expect(verdict(path), text).toEqual(expected)
      expect(verdict(path, {}), text).toEqual([true, 0])
    }
  })

  it('misses a sidecar that the record lists', () => {
    const path = written({ ...oneCall(1), values: [{ event: 'e', member: 'input', path: '', is: 'lost' }] })
    unlinkSync(join(path, 'x-values.jsonl'))
    expect(verdict(path)).toEqual([false, 2, 'missing_file'])
    expect(verdict(path, {})).toEqual([true, 0])
  })

  it('says exit 3 for a bundle without record even when more is wrong with it', () => {
    const path = copyOf(single)
    unlinkSync(join(path, 'integrity.json'))
    edit(path, 'manifest.json', text => text.replace('"events": 4', '"events": 5'))
    expect(verdict(path)).toEqual([false, 3, 'event_count_mismatch', 'integrity_unverified'])
    expect(verdict(path, {})).toEqual([false, 1, 'event_count_mismatch'])
  })

  it('turns what cannot be loaded into issues with file and line, exit 2', () => {
    const unreadable = (change: (path: string) => void): Validation => {
      const path = copyOf(single)
      change(path)
      return validateBundle(path, STRICT)
    }
    const blank = unreadable(path => edit(path, 'events.jsonl', text => `${text}\n`))
    expect(blank).toMatchObject({ valid: false, exitCode: 2, integrity: null, events: 0, mode: 'strict' })
    expect(blank.issues[0]!.code).toBe('invalid_json')
    expect(blank.issues[0]!.location).toMatch(/run\.sftrace\/events\.jsonl:5$/)
    const gone = unreadable(path => {
      rmSync(join(path, 'manifest.json'))
      rmSync(join(path, 'redactions.json'))
    })
    expect(gone.issues.map(issue => issue.code)).toEqual(['missing_file', 'missing_file'])
    expect(verdict(freshPath())).toEqual([false, 2, 'missing_file'])
    expect(verdict(copyOf(single, 'unsupported schema.trace'))).toEqual([false, 2, 'invalid_manifest'])
  })
})
