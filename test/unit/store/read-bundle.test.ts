import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../../src/json/canonical-text.ts'
import { digest } from '../../../src/json/digest.ts'
import type { Json } from '../../../src/json/value.ts'
import { openPayloads } from '../../../src/store/payloads.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { readEvents } from '../../../src/store/read-events.ts'
import { writeBundle } from '../../../src/store/write-bundle.ts'
import { HASHED } from '../../../src/trace/event.ts'
import { copyOf, edit, eventOf, freshPath, golden, oneCall, recorded, written } from './bundles.ts'

describe('reading a bundle', () => {
  it('gives every event of a recording but its payloads', () => {
    const bundle = readBundle(recorded.find(path => path.includes('single_tool'))!)
    expect(bundle.manifest).toMatchObject({
      agent_name: 'single-tool',
      status: 'completed',
      totals: { events: 4 },
    })
    expect(bundle.integrity).toBe('verified')
    expect(bundle.origin).toBeNull()
    expect(bundle.events.map(({ type, label, step }) => [type, label, step])).toEqual([
      ['run_start', 'run_start', 0],
      ['tool_call', 'get_forecast', 1],
      ['tool_result', 'get_forecast', 2],
      ['run_end', 'completed', 3],
    ])
    expect(bundle.events[2]!.parentId).toBe(bundle.events[1]!.id)
    expect(bundle.events[0]!.time).toBe(Date.parse('2026-12-01T02:43:55.045Z') + 0.325)
  })

  it('finds each payload in the file with the hash that was recorded for it', () => {
    let hashes = 0
    for (const path of [...recorded, ...golden]) {
      const payloads = openPayloads(path)
      for (const event of readBundle(path).events) {
        const { input, output } = HASHED[event.type]
        for (const [name, hash] of [[input, event.inputHash] as const, [output, event.outputHash] as const]) {
          if (name === undefined) expect(hash).toBeNull()
          else expect(digest(canonicalText(payloads.rawField(event.line, name))), path).toBe(hash)
          hashes++
        }
      }
      payloads.close()
    }
    expect(hashes).toBeGreaterThan(150)
  })

  it('keeps heads of any form: odd ids, two hashes, steps beyond 32 bits, long names', () => {
    const odd = [
      eventOf(0, { type: 'run_start', input: 1, id: 'start' }),
      eventOf(1, { type: 'state_change', key: 'cart', before: 1, after: 2, parent_id: 'start' }),
      eventOf(2 ** 40, { type: 'tool_call', name: 'x'.repeat(10_000), input: null }),
      eventOf(2 ** 40 + 1, {
        type: 'error',
        error_type: 'Oops',
        message: '',
        details: null,
        status: 'error',
      }),
      eventOf(2 ** 40 + 2, {
        type: 'llm_request',
        provider: 'openai',
        model: 'gpt',
        input: null,
        replay_policy: 'live',
      }),
      eventOf(2 ** 40 + 3, {
        type: 'run_end',
        run_status: 'completed',
        output: null,
        id: `evt_${'F'.repeat(32)}`,
      }),
    ]
    const { events } = readBundle(written({ ...oneCall(null), events: odd }))
    expect(events.map(event => event.id)).toEqual(odd.map(event => event.id))
    expect(events.map(event => event.step)).toEqual(odd.map(event => event.step))
    expect(events.map(event => event.parentId)).toEqual([null, 'start', null, null, null, null])
    expect(events.map(event => event.label)).toEqual([
      'run_start',
      'cart',
      'x'.repeat(10_000),
      'Oops',
      'gpt',
      'completed',
    ])
    expect(events.map(event => [event.status, event.policy, event.provider]).slice(3, 5)).toEqual([
      ['error', 'frozen', null],
      ['ok', 'live', 'openai'],
    ])
    expect([events[1]!.inputHash, events[1]!.outputHash]).toEqual([digest('1'), digest('2')])
  })

  it('reads what the Python implementation reads leniently', () => {
    const path = copyOf(recorded.find(name => name.includes('single_tool'))!)
    edit(path, 'events.jsonl', text =>
      text
        .replace('"step":1', '"step":"1"')
        .replace('"step":2', '"step":true')
        .replace(/"timestamp":"[^"]*"/, '"timestamp":1791453600.5')
        .replace(/"duration_ms":null,"status":"ok",/, '')
        .replaceAll('\n', '\r\n')
        .trimEnd(),
    )
    const { events, integrity } = readBundle(path)
    expect(events.map(event => event.step)).toEqual([0, 1, 1, 3])
    expect([events[0]!.time, events[0]!.status]).toEqual([1791453600500, 'ok'])
    expect(integrity).toBe('mismatch')
  })

  it('tells a bundle without integrity record from one that was changed', () => {
    const path = copyOf(recorded[0]!)
    edit(path, 'integrity.json', () => '{')
    expect(readBundle(path).integrity).toBe('mismatch')
  })

  it('splits lines at line feeds only', () => {
    const path = written(oneCall({ text: 'one\u2028two\u2029three\u0085four' }))
    const payloads = openPayloads(path)
    expect(payloads.field(readBundle(path).events[1]!.line, 'input')).toEqual({
      text: 'one\u2028two\u2029three\u0085four',
    })
    payloads.close()
  })
})

describe('writing a bundle again', () => {
  it('gives back every file of every bundle, byte for byte', () => {
    for (const path of [...recorded, ...golden]) {
      const copy = freshPath()
      writeBundle(copy, { manifest: readBundle(path).manifest, events: readEvents(path) })
      for (const name of ['events.jsonl', 'manifest.json', 'redactions.json']) {
        expect(readFileSync(join(copy, name), 'utf8'), `${path}/${name}`).toBe(
          readFileSync(join(path, name), 'utf8'),
        )
      }
      expect(readBundle(copy).integrity).toBe('verified')
    }
  })

  it('keeps number spellings that JavaScript would lose, and their hashes', () => {
    const path = written(oneCall({ price: 1 }))
    edit(path, 'events.jsonl', text =>
      text
        .replace('{"price":1}', '{"price":1.0,"id":12345678901234567890}')
        .replace(/("name":"search","input")/, '$1')
        .replace(digest('{"price":1}'), digest('{"id":12345678901234567890,"price":1.0}')),
    )
    const copy = freshPath()
    writeBundle(copy, { manifest: readBundle(path).manifest, events: readEvents(path) })
    expect(readFileSync(join(copy, 'events.jsonl'))).toEqual(readFileSync(join(path, 'events.jsonl')))
  })

  it('keeps what was redacted on record, also for a bundle that lost its entries', () => {
    const path = copyOf(recorded.find(name => name.includes('hidden_keys'))!)
    edit(path, 'redactions.json', () => '{"schema_version":"0.1","entries":[]}')
    const findings = readEvents(path).flatMap(event => event.findings ?? [])
    expect(findings.length).toBe(17)
    expect(findings[0]).toEqual({ path: '/input/password', reason: 'credential_pattern' })
  })
})

describe('payloads by place', () => {
  const long = 'x'.repeat(300_000)
  const path = written(oneCall({ long }, { b: 1, a: [1.5, { c: null }] }))
  const { events } = readBundle(path)

  it('are parsed afresh each time', () => {
    const payloads = openPayloads(path)
    const first = payloads.field(events[2]!.line, 'output') as { b: number }
    first.b = 2
    expect(payloads.field(events[2]!.line, 'output')).toEqual({ b: 1, a: [1.5, { c: null }] })
    payloads.close()
  })

  it('come forwards, backwards and longer than the window', () => {
    const payloads = openPayloads(path)
    for (const at of [0, 1, 2, 3, 2, 1, 0, 3, 1]) {
      const text = payloads.text(events[at]!.line)
      expect(JSON.parse(text).id).toBe(events[at]!.id)
    }
    expect(payloads.field(events[1]!.line, 'input')).toEqual({ long })
    payloads.close()
  })

  it('keep their member order and spelling as raw text, and read as null when absent', () => {
    const payloads = openPayloads(path)
    expect(payloads.rawField(events[2]!.line, 'output')).toBe('{"b":1,"a":[1.5,{"c":null}]}')
    expect(payloads.rawField(events[2]!.line, 'input')).toBe('null')
    expect(payloads.field(events[2]!.line, 'input')).toBeNull()
    payloads.close()
  })

  it('end in a sentence when the file was cut meanwhile', () => {
    const copy = copyOf(path)
    const payloads = openPayloads(copy)
    edit(copy, 'events.jsonl', text => text.slice(0, 100))
    expect(() => payloads.field(events[3]!.line, 'output')).toThrow('is no longer what it was')
    payloads.close()
    expect(() => openPayloads(freshPath())).toThrow('cannot open')
  })
})

describe('a digest in a bundle', () => {
  it('is SHA-256 of the exact bytes of the file', () => {
    const path = written(oneCall({ city: 'Köln' } as Json))
    const { files } = JSON.parse(readFileSync(join(path, 'integrity.json'), 'utf8'))
    expect(Object.keys(files)).toEqual(['manifest.json', 'events.jsonl', 'redactions.json'])
    for (const [name, recordedDigest] of Object.entries(files)) {
      expect(
        createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex'),
      ).toBe(recordedDigest)
    }
  })
})
