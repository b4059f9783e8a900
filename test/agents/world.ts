/** What the tools of the test agents talk to: a world with seeded latencies and answers, some of it slow, failing or silent. */
import { createPrng } from './prng.ts'

export interface World {
  /** Answers after its latency; fails with a message; never answers; or rejects when the signal aborts. */
  ask(tool: string, input: object, signal?: AbortSignal): Promise<number>
  askNow(tool: string, input: object): number
  /** Five values, each after a gap. */
  listen(tool: string, input: object): AsyncGenerator<number>
  /** Nothing it was asked is answered any more. */
  close(): void
}

type Reply =
  | { readonly afterMs: number | null; readonly value: number }
  | { readonly afterMs: number; readonly error: string }

/** `pace` stretches every latency. */
export function createWorld(seed: number, pace = 1): World {
  const random = createPrng(seed)
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least))
  const asked = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()
  return {
    ask: (tool, input, signal) => Promise.race([answerOf(tool, input), aborted(signal)]),
    askNow: (tool, input) => answerTo(tool, input, timesAsked(tool, input)),
    listen: async function* (tool, input) {
      const first = timesAsked(tool, input)
      for (let chunk = 1; chunk <= 5; chunk++) {
        await pause(between(1, 9))
        yield first + chunk
      }
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }

  async function answerOf(tool: string, input: object): Promise<number> {
    const reply = replyOf(tool, input)
    if (reply.afterMs === null) return forever()
    if (reply.afterMs > 0) await pause(reply.afterMs)
    else await null
    if ('error' in reply) throw new Error(reply.error)
    return reply.value
  }

  function replyOf(tool: string, input: object): Reply {
    const times = timesAsked(tool, input)
    const value = answerTo(tool, input, times)
    switch (tool) {
      case 'memory':
        return { afterMs: 0, value }
      case 'slow':
        return { afterMs: between(60, 90), value }
      case 'never':
        return { afterMs: null, value }
      case 'bad':
        return { afterMs: between(1, 20), error: 'bad' }
      case 'log':
        return { afterMs: between(1, 30), value }
      case 'flaky':
        return times < 2 ? { afterMs: between(1, 9), error: '503' } : { afterMs: 3, value }
      case 'poll':
        return { afterMs: between(1, 9), value: times + 1 }
      case 'close':
        return { afterMs: between(8, 13), value }
    }
    return { afterMs: random() < 0.15 ? 0 : between(1, 20), value }
  }

  function timesAsked(tool: string, input: object): number {
    const key = `${tool} ${JSON.stringify(input)}`
    const times = asked.get(key) ?? 0
    asked.set(key, times + 1)
    return times
  }

  function pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms * pace)
      timers.add(timer)
    })
  }
}

function answerTo(tool: string, input: object, times: number): number {
  return (JSON.stringify(input).length * 7 + times * 5 + tool.length) % 11
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function forever(): Promise<never> {
  return new Promise(() => {})
}
