import timersPromises, { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { real } from '../../../src/patch.ts'
import { type TimerWatch, watchTimers } from '../../../src/run/timer-watch.ts'

let watch: TimerWatch
const NEVER = Number.POSITIVE_INFINITY

beforeEach(() => {
  watch = watchTimers()
})
afterEach(() => watch.undo())

/** Milliseconds from now until something is due. */
const nextIn = (lastArrival = real.now()): number => watch.next(lastArrival).due - real.now()

describe('the next timer of an agent', () => {
  it('is none before it has set one', () => {
    expect(watch.next(real.now())).toEqual({ due: NEVER, referenced: 0 })
  })

  it('is the earliest of those set', () => {
    const timers = [setTimeout(() => {}, 5000), setTimeout(() => {}, 300), setTimeout(() => {}, 9000)]
    expect(nextIn()).toBeGreaterThan(250)
    expect(nextIn()).toBeLessThanOrEqual(300)
    expect(watch.next(real.now()).referenced).toBe(3)
    for (const timer of timers) clearTimeout(timer)
    expect(nextIn()).toBe(NEVER)
  })

  it('is forgotten when it has fired', async () => {
    await new Promise(done => setTimeout(done, 2))
    expect(nextIn()).toBe(NEVER)
  })

  it('does not keep the process alive when it is unreferenced, but may bring a call', () => {
    const timer = setTimeout(() => {}, 400).unref()
    expect(watch.next(real.now()).referenced).toBe(0)
    expect(nextIn()).toBeLessThanOrEqual(400)
    clearTimeout(timer)
  })

  it('may be an AbortSignal.timeout, which nothing else shows', () => {
    AbortSignal.timeout(700)
    expect(nextIn()).toBeGreaterThan(600)
    expect(nextIn()).toBeLessThanOrEqual(700)
  })

  it('may be a sleep of node:timers/promises, imported by name or whole, or promisified', async () => {
    const sleeps = [sleep(60), timersPromises.setTimeout(60), promisify(setTimeout)(60)]
    expect(watch.next(real.now()).referenced).toBe(3)
    await Promise.all(sleeps)
    expect(nextIn()).toBe(NEVER)
  })

  it('is no interval that fired twice without a call: a heartbeat brings none', () => {
    const beat = setInterval(() => {}, 10)
    expect(nextIn()).toBeLessThanOrEqual(10)
    expect(watch.next(real.now() - 41).due).toBe(NEVER)
    clearInterval(beat)
    expect(watch.next(real.now()).referenced).toBe(0)
  })
})

describe('a watched timer', () => {
  it('passes arguments and its timer to the callback, as Node does', async () => {
    const seen = await new Promise(done => {
      const timer = setTimeout(
        function (this: unknown, ...given: unknown[]) {
          done([this === timer, ...given])
        },
        1,
        'a',
        2,
      )
    })
    expect(seen).toEqual([true, 'a', 2])
  })

  it('resolves a sleep with its value, and is aborted by its signal', async () => {
    await expect(sleep(1, 'value')).resolves.toBe('value')
    const controller = new AbortController()
    const aborted = sleep(10_000, null, { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('is Node’s own again after the watch', () => {
    const { setTimeout: watched } = globalThis
    watch.undo()
    expect(globalThis.setTimeout).not.toBe(watched)
    watch = watchTimers()
  })
})
