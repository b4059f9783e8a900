import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { askOnTerminal } from '../../../src/cli/ask-on-terminal.ts'
import type { Question, Reply } from '../../../src/trace/question.ts'

const RECORDED: Question = {
  live: 2,
  kind: 'tool',
  label: 'order_status',
  input: { order_id: 'A-17' },
  inside: null,
  verdict: 'matched',
  call: {
    number: 2,
    label: 'order_status',
    input: { order_id: 'A-17' },
    answer: { status: 'ok', value: { status: 'delivered' } },
  },
  of: 6,
}
const NEW: Question = { ...RECORDED, verdict: 'extra', call: null }

async function asked(question: Question, typed: string): Promise<{ replies: Reply[]; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', chunk => {
    shown += chunk
  })
  const paper = { color: false, width: 80, unicode: true }
  const asker = askOnTerminal({ input, output, paper, isTerminal: false, onInterrupt: () => {} })
  input.end(typed)
  const replies = [await asker.answer(question)]
  asker.close()
  await new Promise(setImmediate)
  return { replies, shown }
}

describe('a question on the terminal', () => {
  it('shows the call, its input and its recorded answer', async () => {
    const { shown } = await asked(RECORDED, 't\n')
    expect(shown).toBe(`? call 2 of 6  tool order_status
         input     {"order_id": "A-17"}
         answered  {"status": "delivered"}
  [t]ake  [r]un  [e]dit  [s]top > `)
  })

  it.each([
    ['t', { kind: 'take' }],
    ['RUN', { kind: 'run' }],
    [' s ', { kind: 'stop' }],
    ['e\n{"n": 12345678901234567890}', { kind: 'edit', value: { n: 12345678901234567890n } }],
    ['e\n"late"', { kind: 'edit', value: 'late' }],
  ])('takes %j', async (typed, reply) => {
    expect((await asked(RECORDED, `${typed}\n`)).replies).toEqual([reply])
  })

  it('is asked again when the answer is none of the letters', async () => {
    const { replies, shown } = await asked(RECORDED, 'maybe\nt\n')
    expect(replies).toEqual([{ kind: 'take' }])
    expect(shown).toContain('type one of these letters and Enter')
  })

  it('asks again for an edited answer that is not JSON, and goes back on an empty line', async () => {
    const { replies, shown } = await asked(RECORDED, 'e\n{late\n\nr\n')
    expect(replies).toEqual([{ kind: 'run' }])
    expect(shown).toContain('that is not JSON; a text needs its quotes: "like this"')
  })

  it.each(['', 'e\n'])('stops at the end of the input, after %j', async typed => {
    expect((await asked(RECORDED, typed)).replies).toEqual([{ kind: 'stop' }])
  })

  it('offers nothing to take of a call that the recording does not have', async () => {
    const { replies, shown } = await asked(NEW, 't\nr\n')
    expect(replies).toEqual([{ kind: 'run' }])
    expect(shown).toContain('? call 2, new  tool order_status, which the recording does not have')
    expect(shown).toContain('there is no recorded answer to take')
    expect(shown).not.toContain('[t]ake')
  })

  it('shows what differs from the recorded input, and how the call failed then', async () => {
    const call = {
      ...RECORDED.call!,
      answer: { status: 'error', error: { name: 'TypeError', message: 'no' } },
    } as const
    const { shown } = await asked(
      { ...RECORDED, call, input: { order_id: 'B-2' }, verdict: 'changed-input' },
      't\n',
    )
    expect(shown).toContain(', with another input than recorded')
    expect(shown).toContain('       - recorded  "A-17"\n       + live      "B-2"\n')
    expect(shown).toContain('answered  with an error, TypeError: no')
  })

  it('sends nothing of a recording to the terminal that is not text', async () => {
    const hostile = '\u001b[2J\u202e\n::error::'
    const { shown } = await asked({ ...RECORDED, label: hostile, input: { hostile } }, 't\n')
    expect(shown.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/)
    expect(shown).not.toMatch(/^::error/m)
  })
})
