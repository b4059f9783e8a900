/** Agents that read streams: to the end, with calls in between, or only so far. */
import type { Agent } from './toolbox.ts'

export const streamAgents = {
  callsDuringAStream: async tools => {
    const calls: Promise<number>[] = []
    for await (const chunk of tools.stream('model', { q: 1 }))
      if (chunk % 2 === 0) calls.push(tools.call('fetch', { chunk }))
    return tools.call('use', { found: await Promise.all(calls) })
  },

  twoStreams: tools =>
    Promise.all(
      [1, 2].map(async q => {
        const text: number[] = []
        for await (const chunk of tools.stream('model', { q })) {
          text.push(chunk)
          if (chunk === 2) text.push(await tools.call('fetch', { q }))
        }
        return tools.call('use', { q, text })
      }),
    ),

  brokenOffStream: async tools => {
    const text: number[] = []
    for await (const chunk of tools.stream('model', { q: 1 })) {
      text.push(chunk)
      if (text.length === 3) break
    }
    return tools.call('use', { text })
  },

  streamReadSlowly: async tools => {
    const text: number[] = []
    for await (const chunk of tools.stream('model', { q: 1 })) {
      await tools.localWork()
      text.push(chunk)
    }
    return tools.call('use', { text })
  },
} satisfies { readonly [name: string]: Agent }
