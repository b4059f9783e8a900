/** Agents that make calls one after the other, at the same time, in pools and in stages. */
import { type Agent, pause, type Toolbox } from './toolbox.ts'

export const orchestrationAgents = {
  sequential: async tools => {
    const found: number[] = []
    for (const i of [1, 2, 3, 4]) found.push(await tools.call('fetch', { i }))
    return found
  },

  all: tools => Promise.all([1, 2, 3, 4].map(i => tools.call('fetch', { i }))),

  twoStages: tools => Promise.all([1, 2, 3].map(i => inTwoStages(tools, 'fetch', i))),

  twoStagesFromMemory: tools => Promise.all([1, 2, 3].map(i => inTwoStages(tools, 'memory', i))),

  twoStagesWithWork: tools =>
    Promise.all([1, 2, 3].map(i => inTwoStages(tools, 'fetch', i, () => tools.localWork()))),

  threeMixedStages: tools =>
    Promise.all(
      [1, 2, 3].map(async i => {
        const x = await tools.call('fetch', { i })
        await Promise.resolve()
        const y = await tools.call('memory', { i, x })
        if (i % 2 === 1) await tools.localWork()
        return tools.call('save', { i, y })
      }),
    ),

  pool: async tools => {
    const limit = createLimit(2)
    return Promise.all([1, 2, 3, 4, 5].map(i => limit(() => tools.call('fetch', { i }))))
  },

  poolOfNamedWorkers: tools => workThrough([1, 2, 3, 4, 5], (i, id) => tools.call('fetch', { i, id })),

  poolWithWork: tools =>
    workThrough([1, 2, 3, 4, 5], async i => {
      const x = await tools.call('fetch', { i })
      await tools.localWork()
      return x
    }),

  synchronousTools: tools =>
    Promise.all(
      [1, 2].map(async i => {
        const x = await tools.call('fetch', { i })
        const y = tools.callNow('add', { i, x })
        await Promise.resolve()
        return tools.call('save', { i, y })
      }),
    ),

  synchronousToolsAfterWork: tools =>
    Promise.all(
      [1, 2].map(async i => {
        await tools.localWork()
        return tools.call('save', { i, y: tools.callNow('add', { i }) })
      }),
    ),

  ticksBetween: tools =>
    Promise.all(
      [1, 2, 3].map(async i => {
        const x = await tools.call('fetch', { i })
        await new Promise<void>(resolve => process.nextTick(resolve))
        await new Promise<void>(resolve => queueMicrotask(resolve))
        return tools.call('save', { i, y: tools.callNow('add', { i, x }) })
      }),
    ),

  immediatesBetween: tools =>
    Promise.all(
      [1, 2, 3].map(async i => {
        const x = await tools.call('fetch', { i })
        for (let times = 0; times < i * 3; times++)
          await new Promise<void>(resolve => setImmediate(() => resolve()))
        return tools.call('save', { i, x })
      }),
    ),

  debounced: async tools => {
    const first = tools
      .call('fetch', { s: 1 })
      .then(x => tools.localWork().then(() => tools.call('refine', { x })))
    const second = await tools.call('fetch', { s: 2 })
    return [await tools.call('rank', { second }), await first]
  },

  afterPauses: async tools => {
    const found: number[] = []
    for (const i of [1, 2, 3]) {
      found.push(await tools.call('fetch', { i }))
      await pause(2)
    }
    return found
  },
} satisfies { readonly [name: string]: Agent }

async function inTwoStages(
  tools: Toolbox,
  first: string,
  i: number,
  between: () => Promise<void> = async () => {},
): Promise<number> {
  const x = await tools.call(first, { i })
  await between()
  return tools.call('save', { i, x })
}

/** Two workers that take items from one queue: who gets which depends on who is first. */
async function workThrough(
  items: number[],
  handle: (item: number, worker: string) => Promise<number>,
): Promise<number[]> {
  const done: number[] = []
  const work = async (id: string): Promise<void> => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) done.push(await handle(item, id))
  }
  await Promise.all([work('A'), work('B')])
  return done
}

type Limit = <T>(task: () => Promise<T>) => Promise<T>

function createLimit(most: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  return async task => {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    running++
    try {
      return await task()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
