/** Agents on the queues and retries that people really use. */
import pLimit from 'p-limit'
import PQueue from 'p-queue'
import pRetry from 'p-retry'
import type { Agent } from './toolbox.ts'

const ITEMS = [1, 2, 3, 4, 5, 6]

export const libraryAgents = {
  pLimit: tools => {
    const limit = pLimit(2)
    return Promise.all(
      ITEMS.map(i =>
        limit(async () => {
          const x = await tools.call('fetch', { i })
          await tools.localWork()
          return x
        }),
      ),
    )
  },

  pQueue: tools => {
    const queue = new PQueue({ concurrency: 2 })
    return Promise.all(
      ITEMS.map(i => queue.add(async () => tools.call('save', { i, x: await tools.call('fetch', { i }) }))),
    )
  },

  pQueueByRate: tools => {
    const queue = new PQueue({ interval: 15, intervalCap: 2 })
    return Promise.all(ITEMS.map(i => queue.add(() => tools.call('fetch', { i }))))
  },

  pRetry: tools =>
    Promise.all(
      [1, 2].map(i =>
        pRetry(() => tools.call('flaky', { i }), { minTimeout: 5, factor: 2, randomize: true, retries: 4 }),
      ),
    ),
} satisfies { readonly [name: string]: Agent }
