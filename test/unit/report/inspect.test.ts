import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/json/parse-json.ts'
import { isJsonObject } from '../../../src/json/value.ts'
import { type InspectOptions, inspectText } from '../../../src/report/inspect.ts'
import { inspectJson } from '../../../src/report/inspect-json.ts'
import { openPayloads } from '../../../src/store/payloads.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { REFUND_LINES, type Recorded, recordedDesk } from './recorded-desk.ts'

const OPTIONS: InspectOptions = {
  color: false,
  width: 80,
  unicode: true,
  events: false,
  step: null,
  errorsOnly: false,
}

function text({ bundle, readEvent }: Recorded, options: Partial<InspectOptions> = {}): string | null {
  return inspectText(bundle, readEvent, { ...OPTIONS, ...options })
}

function json({ bundle, readEvent }: Recorded, options: Partial<InspectOptions> = {}) {
  const printed = inspectJson(bundle, readEvent, { ...OPTIONS, ...options })
  return printed === null ? null : JSON.parse(printed)
}

describe('inspect', () => {
  it('shows who ran, how it ended, and the calls with question and answer', () => {
    expect(text(recordedDesk())).toBe(`\
refund.sftrace  support-desk, failed

  recorded   2026-12-01 02:43:54 UTC, took 0.7 s
  run        run_1, schema 0.1
  calls      4 (1 model, 3 tool), 9 events
  integrity  verified: every file is as it was written
  failure    step 7, RefundRefused: over the limit
  open       1 call without a recorded answer (✗ below)

  1  model  openai/gpt-4o-mini, 2 message…  → calls issue_refund          0.6 s
  2  tool   issue_refund {"order_id": "A-…  ✗ RefundRefused: over the …   30 ms
  3    tool   check_limit {"amount": 42.5}  → {"limit": 40}               12 ms
  4  tool   open_ticket (forbidden) {}      ✗ no answer recorded
`)
  })

  it('calls a recording that was cut off not finished: nothing is running there', () => {
    const desk = recordedDesk()
    const manifest = { ...desk.bundle.manifest, status: 'running' as const, failure: null }
    expect(text({ ...desk, bundle: { ...desk.bundle, manifest } })).toMatch(
      /^refund\.sftrace {2}support-desk, not finished\n/,
    )
  })

  it('cuts nothing when it is piped', () => {
    const piped = text(recordedDesk(), { width: Number.POSITIVE_INFINITY })
    expect(piped).toContain(
      '  1  model  openai/gpt-4o-mini, 2 messages, 3 tools  → calls issue_refund  0.6 s\n',
    )
    expect(piped).toContain(
      '  2  tool   issue_refund {"order_id": "A-17", "amount": 42.5}  ✗ RefundRefused: over the limit  30 ms\n',
    )
  })

  it('reads in ASCII, too', () => {
    expect(text(recordedDesk(), { unicode: false })).toMatch(/^[ -~\n]+$/)
  })

  it('lists events, and only those that failed', () => {
    expect(text(recordedDesk(), { events: true })).toContain(
      '     4  tool_call     check_limit    {"input": {"amount": 42.5}}\n',
    )
    const failed = text(recordedDesk(), { errorsOnly: true })!.split('\n\n').at(-1)!
    expect(failed.trim().split('\n')).toHaveLength(3)
  })

  it('shows one step in full, and nothing where there is none', () => {
    expect(text(recordedDesk(), { step: 7 })).toBe(`\
  step 7  error  RefundRefused  error  e7, 7.000 s after the start
    {
      "error_type": "RefundRefused"
      "message": "over the limit"
      "details": {
        "limit": 40
      }
    }
`)
    expect(text(recordedDesk(), { step: 77 })).toBeNull()
  })

  it('says when integrity is unknown or broken', () => {
    expect(text(recordedDesk(REFUND_LINES, { integrity: 'mismatch' }))).toContain('MISMATCH')
    expect(text(recordedDesk(REFUND_LINES, { integrity: 'unverified_legacy' }))).toContain(
      'unknown: there is no',
    )
  })

  it('works on a recording without events', () => {
    expect(text(recordedDesk([]))).toContain('0 (0 model, 0 tool), 0 events')
    expect(text(recordedDesk([]))).toContain('no calls recorded')
    expect(json(recordedDesk([])).timeline).toEqual([])
  })

  it('does not take brackets in a payload for markup', () => {
    const lines = [{ type: 'tool_call', name: '[bold]', input: { k: [true, false], x: '[/x]' } } as const]
    expect(text(recordedDesk(lines), { width: 120 })).toContain('[bold] {"k": [true, false], "x": "[/x]"}')
  })

  it('never shows a secret that was edited into the bundle, in names neither', () => {
    const secret = 'sk-supersecretvalue123'
    const lines = [
      { type: 'tool_call', name: secret, input: { api_key: 'hunter2', note: `use ${secret}` } } as const,
      { type: 'tool_call', name: 'x', input: { nested: { password: 'hunter2' } } } as const,
    ]
    const desk = recordedDesk(lines)
    const shown = [
      text(desk),
      text(desk, { events: true }),
      text(desk, { step: 0 }),
      text(desk, { step: 1 }),
      JSON.stringify(json(desk)),
    ].join('\n')
    expect(shown).not.toMatch(/hunter2|supersecret/)
    expect(shown).toContain('[REDACTED]')
  })
})

describe('inspect --json', () => {
  it('keeps the member names of the Python implementation', () => {
    const printed = json(recordedDesk())
    expect(Object.keys(printed)).toEqual(
      'path agent_name run_id schema_version status created_at events llm_calls tool_calls duration_ms failure integrity timeline'.split(
        ' ',
      ),
    )
    expect(printed.created_at).toBe('2026-12-01T02:43:54.498122+00:00')
    expect(printed.timeline[5]).toEqual({
      id: 'e5',
      step: 5,
      type: 'tool_result',
      label: 'check_limit',
      status: 'ok',
      parent_id: 'e4',
      duration_ms: 12,
      details: { name: 'check_limit', output: { limit: 40 }, duration_ms: 12 },
    })
  })

  it('is one compact line, and keeps the events asked for', () => {
    const { bundle, readEvent } = recordedDesk()
    expect(inspectJson(bundle, readEvent, OPTIONS)).toMatch(/^\{"path":"refund\.sftrace",.*\}\n$/)
    const types = json(recordedDesk(), { errorsOnly: true }).timeline.map((one: { type: string }) => one.type)
    expect(types).toEqual(['tool_result', 'error'])
    expect(json(recordedDesk(), { step: 77 })).toBeNull()
  })
})

describe('answers of a model in a few words', () => {
  const answer = (output: unknown) => {
    const lines = [
      { type: 'llm_request', id: 'a', model: 'm', provider: null, input: 'x' },
      { type: 'llm_response', id: 'b', parent_id: 'a', model: 'm', output },
    ] as never
    return text(recordedDesk(lines), { width: Number.POSITIVE_INFINITY })!.split('→ ')[1]!.split('  ')[0]
  }

  it.each([
    ['a text', 'Sunny.', '"Sunny."'],
    ['a text member', { text: 'Sunny.' }, '"Sunny."'],
    ['an OpenAI message', { choices: [{ message: { content: 'Sunny.' } }] }, '"Sunny."'],
    ['an Anthropic message', { content: [{ type: 'text', text: 'Sunny.' }] }, '"Sunny."'],
    ['an Anthropic tool call', { content: [{ type: 'tool_use', name: 'weather' }] }, 'calls weather'],
    ['an OpenAI response', { output: [{ type: 'function_call', name: 'weather' }] }, 'calls weather'],
    ['anything else', { tool: 'weather' }, '{"tool": "weather"}'],
    ['null', null, 'null'],
  ])('reads %s', (_, output, words) => {
    expect(answer(output)).toBe(words)
  })
})

/** Bundles of the Python implementation; they are its own data and not part of this repository. */
const GOLDEN = resolve(import.meta.dirname, '../../../../shared/conformance/golden')
const golden = existsSync(GOLDEN) ? readdirSync(GOLDEN).filter(name => name.endsWith('.sftrace')) : []
if (golden.length === 0) process.stderr.write('SKIPPED: no golden bundles beside the repository\n')

describe.skipIf(golden.length === 0)('golden bundles', () => {
  it.each(golden)('can be inspected: %s', name => {
    const path = join(GOLDEN, name)
    const payloads = openPayloads(path)
    const bundle = readBundle(path)
    const desk: Recorded = {
      bundle,
      readEvent: line => {
        const event = parseJson(payloads.text(line))
        return isJsonObject(event) ? event : {}
      },
    }
    expect(text(desk)).toContain(bundle.manifest.agent_name)
    expect(json(desk).timeline).toHaveLength(bundle.events.length)
    payloads.close()
  })
})
