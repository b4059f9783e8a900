/** Runs that follow each other in one process, as in tests: what one leaves behind, and what it set up for the next. */
import { describe, expect, it } from 'vitest'
import { type Agent, pause } from '../agents/toolbox.ts'
import { record, replay } from './in-process.ts'

describe('runs one after the other in a process', () => {
  it('are not mixed up when one leaves a loop behind that goes on making calls', async () => {
    let isOver = false
    const leavesALoop: Agent = async tools => {
      const loop = async (): Promise<void> => {
        for (let beat = 0; !isOver; beat++) {
          await pause(1)
          void tools.call('log', { beat }).catch(() => {})
        }
      }
      void loop()
      return tools.call('fetch', { i: 1 })
    }
    const plain: Agent = async tools => {
      await pause(20)
      return tools.call('fetch', { i: 2 })
    }
    const plainRecording = await record(plain, 1)
    const looping = await record(leavesALoop, 2)
    await replay(leavesALoop, looping, 3)
    const replayed = await replay(plain, plainRecording, 4)
    const recordedBeside = await record(plain, 5)
    isOver = true
    expect(replayed.findings).toEqual([])
    expect(recordedBeside.facts.some(fact => fact.kind === 'settled' && fact.status === 'completed')).toBe(
      true,
    )
    for (const { dispose } of [plainRecording, looping, recordedBeside]) dispose()
  })

  it('are served by a queue whose loop an earlier run has started', async () => {
    const waiting: (() => Promise<void>)[] = []
    let isStarted = false
    let isOver = false
    const work = async (): Promise<void> => {
      while (!isOver) {
        await waiting.shift()?.()
        await pause(1)
      }
    }
    const queued: Agent = tools => {
      const results = [1, 2, 3].map(
        i =>
          new Promise((resolve, reject) => {
            waiting.push(() => tools.call('fetch', { i }).then(resolve, reject))
          }),
      )
      if (!isStarted) void work()
      isStarted = true
      return Promise.all(results)
    }
    const recording = await record(queued, 1)
    const first = await replay(queued, recording, 2)
    const second = await replay(queued, recording, 3)
    isOver = true
    recording.dispose()
    expect([first.findings, second.findings]).toEqual([[], []])
  })
})
