/**
 * One turn of a ReplayProvider, in a run of 1,000 and of 100,000 steps: bare, with its request compared by hash, through the
 * model of `ai` and the chat client, and with a tool answered from the record; beside them what nobody can do without, and
 * what it takes to read and write the record. Prints microseconds: the median of blocks, since a mean of a busy machine says
 * nothing.
 *
 *   node --import tsx test/bench/turn.ts
 */
import { digest } from '../../src/json/digest.ts'
import { parseStepRecord } from '../../src/turns/read-record.ts'
import { recordToolCall, recordTurn } from '../../src/turns/record-turn.ts'
import { ReplayProvider } from '../../src/turns/replay-provider.ts'
import type { StepRecord } from '../../src/turns/step-record.ts'
import { formatStepRecord } from '../../src/turns/write-record.ts'

const BLOCK = 50

/** A prompt of about 2 kB: eight messages and a tool. */
function requestOf(id: number) {
  const content = `${id} ${'where is my order now '.repeat(10)}`
  const messages = Array.from({ length: 8 }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'tool', content }))
  return {
    model: 'gpt-4o-mini',
    temperature: 0,
    messages,
    tools: [{ type: 'function', function: { name: 'order' } }],
  }
}

function stepOf(id: number, isHashed: boolean): StepRecord {
  const origin = { provider: 'open_ai', modelId: 'gpt-4o-mini', modelVersion: '' }
  const turn = {
    text: 'Your order is on its way. '.repeat(8),
    usage: { input_tokens: 500, output_tokens: 50, reasoning_tokens: 0, cached_tokens: 0 },
    finish_reason: 'tool_calls' as const,
    tool_calls: [{ id: `c${id}`, name: 'order', arguments_raw: `{"id":${id}}` }],
  }
  return {
    key: { workflow_id: 'bench', run_id: 'r', super_step: id },
    inference: recordTurn(isHashed ? { ...origin, request: requestOf(id) } : origin, turn),
    tool_calls: [
      recordToolCall({ tool: 'order', args: { id }, isSideEffecting: true }, { id, state: 'sent' }),
    ],
    state_snapshot: {},
  }
}

async function timed(count: number, act: (id: number) => unknown): Promise<number> {
  const blocks: number[] = []
  for (let id = 0; id < count; ) {
    const since = performance.now()
    for (const end = id + BLOCK; id < end; id++) await act(id)
    blocks.push(((performance.now() - since) * 1000) / BLOCK)
  }
  return blocks.sort((a, b) => a - b)[Math.floor(blocks.length / 2)]!
}

function row(name: string, values: readonly number[]): void {
  process.stdout.write(`${name.padEnd(44)}${values.map(value => value.toFixed(1).padStart(9)).join('')}\n`)
}

async function columns(name: string, measure: (count: number) => Promise<number>): Promise<void> {
  row(name, [await measure(1000), await measure(100_000)])
}

const bare = Array.from({ length: 100_000 }, (_, id) => stepOf(id, false))
const hashed = Array.from({ length: 100_000 }, (_, id) => stepOf(id, true))
const provide = (steps: readonly StepRecord[], count: number) =>
  ReplayProvider.fromSteps('r', steps.slice(0, count))

process.stdout.write(`Node ${process.version}, microseconds${' '.repeat(26)}1,000  100,000\n`)
await columns('a turn', count => {
  const provider = provide(bare, count)
  return timed(count, () => provider.run())
})
await columns('a turn, 2 kB of request compared', count => {
  const provider = provide(hashed, count)
  return timed(count, id => provider.run(requestOf(id)))
})
await columns('  the same by the model of ai', count => {
  const model = provide(hashed, count).languageModel()
  return timed(count, id => model.doGenerate(requestOf(id) as object))
})
await columns('  the same by the chat client', count => {
  const { completions } = provide(hashed, count).chatClient().chat
  return timed(count, id => completions.create(requestOf(id)))
})
await columns('  floor: stringify and hash the request', count =>
  timed(count, id => digest(JSON.stringify(requestOf(id)))),
)
await columns('a turn and its tool, answered', count => {
  const provider = provide(bare, count)
  const tool = provider.tool('order', (_: { id: number }) => null)
  return timed(count, async id => {
    await provider.run()
    await tool({ id })
  })
})
const texts = hashed.slice(0, 1000).map(formatStepRecord)
await columns('a record read', count => timed(count, id => parseStepRecord(texts[id % 1000]!)))
await columns('  floor: JSON.parse', count => timed(count, id => JSON.parse(texts[id % 1000]!)))
await columns('a record written', count => timed(count, id => formatStepRecord(hashed[id]!)))
