/** An agent with its tools, and places to record it to. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { llmRequest, record, traceTool } from '../../../src/index.ts'
import { ReplaySession, type ReplaySessionOptions, readBundle } from '../../../src/testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'stepfork-run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

export function freshFolder(): string {
  return mkdtempSync(join(folder, `${count++}-`))
}

export function freshPath(name = 'run.sftrace'): string {
  return join(freshFolder(), name)
}

/** What really happened; a replay adds nothing. */
export const happened: string[] = []

export const orderStatus = traceTool('order_status', async ({ id }: { id: string }) => {
  happened.push(`order_status ${id}`)
  return { id, state: 'delivered' }
})

export const refund = traceTool('refund', async ({ id, amount }: { id: string; amount: number }) => {
  happened.push(`refund ${id}`)
  if (amount > 100) throw new RangeError('over the limit')
  return { ref: `R-${id}` }
})

/** Synchronous, with arguments by name. */
export const round = traceTool(
  'round',
  (value: number, digits = 0) => {
    happened.push('round')
    return Number(value.toFixed(digits))
  },
  { params: { value: undefined, digits: 0 } },
)

export const ask = (text: string): Promise<string> =>
  llmRequest({ provider: 'openai', model: 'gpt', input: { text } }, async () => {
    happened.push(`ask ${text}`)
    return `answer to ${text}`
  })

export async function answer(id: string): Promise<{ text: string; ref: string }> {
  const order = await orderStatus({ id })
  const text = await ask(`order ${order.id} is ${order.state}`)
  const { ref } = await refund({ id, amount: round(42.46, 1) })
  return { text, ref }
}

/** A recording of `answer('A-17')`, or of another agent. */
export async function recording<R>(
  agent: (input: string) => R = answer as never,
  input = 'A-17',
): Promise<string> {
  const path = freshPath()
  await Promise.resolve(record({ agent: 'desk', output: path, input }, agent)).catch(() => {})
  happened.length = 0
  return path
}

export function session(path: string, options: ReplaySessionOptions = {}): ReplaySession {
  return new ReplaySession(readBundle(path), { stallMs: 200, ...options })
}

/** Lines of a bundle's `events.jsonl`. */
export const eventsOf = (path: string): { [field: string]: unknown }[] =>
  readFileSync(join(path, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** The tools and models that a bundle has calls of. */
export const calls = (path: string): unknown[] =>
  eventsOf(path).flatMap(event =>
    String(event.type).match(/tool_call|llm_request/) ? [event.name ?? event.model] : [],
  )

/** An error of ours with this code. */
export const code = (code: string) => expect.objectContaining({ code })

/** What a call throws, as a value. */
export const caught = (call: () => unknown): Promise<unknown> => (async () => call())().catch(error => error)
