/** Agents that race, give up waiting, try again, poll, speculate, or let calls run on in the background. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, pause } from './toolbox.ts'

export const raceAgents = {
  raceByDepth: async tools => {
    const deep = async (call: Promise<number>): Promise<number> => {
      const value = await call
      return await (async () => await value)()
    }
    const winner = await Promise.race([deep(tools.call('fetch', { i: 1 })), tools.call('fetch', { i: 2 })])
    return tools.call('use', { winner })
  },

  anyAfterAFailure: async tools => {
    const calls = [tools.call('bad', { i: 1 }), tools.call('fetch', { i: 2 }), tools.call('fetch', { i: 3 })]
    return tools.call('use', { winner: await Promise.any(calls) })
  },

  timeOut: async tools => {
    const winner = await Promise.race([tools.call('slow', { i: 1 }), pause(10).then(() => 'late')])
    return tools.call('use', { winner })
  },

  timeOutOfAnEndlessCall: async tools => {
    const winner = await Promise.race([tools.call('never', { i: 1 }), pause(10).then(() => 'late')])
    return tools.call('use', { winner })
  },

  abortSignalTimeout: tools =>
    Promise.all(
      [1, 2].map(async i => {
        const signal = AbortSignal.timeout(i === 1 ? 300 : 15)
        const aborted = new Promise<string>(resolve =>
          signal.addEventListener('abort', () => resolve('late')),
        )
        const winner = await Promise.race([tools.call(i === 1 ? 'fetch' : 'slow', { i }), aborted])
        return tools.call('use', { i, winner })
      }),
    ),

  abortedCall: async tools => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    const slow = tools.call('slow', { i: 1 }, controller.signal)
    const ending = await slow.catch((error: Error) => error.name)
    return tools.call('use', { ending })
  },

  callWithItsTimeOut: async tools => {
    const ending = await tools
      .call('slow', { i: 1 }, AbortSignal.timeout(12))
      .catch((error: Error) => error.name)
    return tools.call('use', { ending })
  },

  signalLookedAt: async tools => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), 10)
    const ending = await tools
      .call('slow', { i: 1 }, controller.signal)
      .catch(() => (controller.signal.aborted ? 'late' : 'failed'))
    clearTimeout(timer)
    return tools.call('use', { ending })
  },

  hedgedCalls: async tools => {
    const controller = new AbortController()
    const calls = [1, 2].map(i => tools.call(i === 1 ? 'slow' : 'fetch', { i }, controller.signal))
    const winner = await Promise.race(calls)
    controller.abort()
    const endings = await Promise.allSettled(calls)
    return tools.call('use', { winner, endings: endings.map(({ status }) => status) })
  },

  raceAgainstTimers: tools =>
    Promise.all(
      [1, 2, 3].map(async i => {
        const winner = await Promise.race([tools.call('fetch', { i }), sleep(11, 'late')])
        return tools.call('use', { i, winner })
      }),
    ),

  closeRace: async tools => {
    const winner = await Promise.race([tools.call('close', { i: 1 }), sleep(10, 'late')])
    return tools.call('use', { winner })
  },

  closeRaceAmongWork: tools =>
    Promise.all(
      [1, 2].map(async i => {
        await tools.localWork()
        const winner = await Promise.race([tools.call('close', { i }), sleep(10, 'late')])
        await tools.localWork()
        return tools.call('use', { i, winner })
      }),
    ),

  retry: async tools => {
    for (let tries = 0; ; tries++) {
      try {
        return await tools.call('flaky', { q: 1 })
      } catch (error) {
        if (tries > 3) throw error
        await pause(5 * 2 ** tries)
      }
    }
  },

  retryBesideASlowCall: async tools => {
    const retried = async (): Promise<number> => {
      for (let tries = 0; ; tries++) {
        try {
          return await tools.call('flaky', { q: 1 })
        } catch {
          await pause(40 * 2 ** tries)
        }
      }
    }
    return Promise.all([tools.call('slow', { z: 1 }), retried()])
  },

  equalPolls: tools =>
    Promise.all(
      ['x', 'y'].map(async branch => {
        let state: number
        do {
          state = await tools.call('poll', { job: 7 })
          await pause(branch === 'x' ? 3 : 4)
        } while (state % 3 !== 0)
        return tools.call('use', { branch, state })
      }),
    ),

  equalPollsAfterWork: tools =>
    Promise.all(
      ['x', 'y'].map(async branch => {
        await tools.localWork()
        const state = await tools.call('poll', { job: 7 })
        return tools.call('use', { branch, state })
      }),
    ),

  polls: tools =>
    Promise.all(
      ['x', 'y'].map(async job => {
        let state: number
        do {
          state = await tools.call('poll', { job })
          await pause(3)
        } while (state % 3 !== 0)
        return tools.call('use', { job, state })
      }),
    ),

  fireAndForget: async tools => {
    void tools.call('log', { m: 1 })
    const x = await tools.call('fetch', { i: 1 })
    void tools.call('log', { m: 2 })
    await tools.localWork()
    return tools.call('fetch', { i: 2, x })
  },

  fireAndForgetPastTheEnd: async tools => {
    void tools.call('slow', { m: 1 })
    return tools.call('fetch', { i: 1 })
  },

  speculation: async tools => {
    const first = tools.call('fetch', { s: 1 })
    const second = tools.call('slow', { s: 2 })
    const judged = await tools.call('judge', { found: await first })
    if (judged % 2 === 1) return tools.call('use', { judged })
    return tools.call('use', { second: await second })
  },
} satisfies { readonly [name: string]: Agent }
