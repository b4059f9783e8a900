/** What the Python adapter recorded is what the `openai` package asks, and is answered as it was. */
import { readFileSync } from 'node:fs'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../../src/dialect/answer-of.ts'
import { differences } from '../../../src/json/compare.ts'
import type { Json } from '../../../src/json/value.ts'
import { fetchThat } from './exchanges.ts'

const BUNDLE = new URL('../../fixtures/recorded-0.2.1/openai_two_turns.sftrace/events.jsonl', import.meta.url)

interface RecordedEvent {
  readonly type: string
  readonly provider: string
  readonly model: string
  readonly input: { readonly method: string; readonly request: OpenAI.ChatCompletionCreateParamsNonStreaming }
  readonly output: Json
}

const events = readFileSync(BUNDLE, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as RecordedEvent)
const asked = events.filter(event => event.type === 'llm_request')
const answered = events.filter(event => event.type === 'llm_response')

describe('a run that Python recorded', () => {
  it('holds two turns', () => expect([asked.length, answered.length]).toEqual([2, 2]))

  it.each([0, 1])('asks in turn %i what the package asks, and gives it the recorded answer', async turn => {
    const { provider, model, input } = asked[turn]!
    const { output } = answered[turn]!
    const { fetch, asked: seen } = fetchThat(read => answerOf(read, output))
    const client = new OpenAI({ apiKey: 'sk-none', fetch })
    expect(await client.chat.completions.create(input.request)).toEqual(output)
    expect(seen[0]!.target).toEqual({ kind: 'llm', provider, model })
    expect(differences(input as unknown as Json, seen[0]!.input)).toEqual([])
  })
})
