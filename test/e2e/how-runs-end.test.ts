/** The ways in which an agent may end, or not, while it is replayed. */
import { describe, expect, it } from 'vitest'
import { causesOf } from './run-cli.ts'
import { recordedOnce } from './workspace.ts'

const HERE = '/* here */'
const recorded = recordedOnce(`
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { traceTool } from 'stepfork'

const step = traceTool('step', async (request: { n: number }) => ({ doubled: request.n * 2 }))

export async function run() {
  const { doubled } = await step({ n: 1 })
  ${HERE}
  return { doubled }
}

export const unused = [spawn, createServer]
`)

/** The run comes to its recorded end. */
const MATCHED = { verdict: 'matched', exitCode: 0 }

describe('an agent that ends its own process', () => {
  it('with process.exit(0) is red: the run was not over', async () => {
    const { code, run } = await recorded.replay([[HERE, 'process.exit(0)']])
    expect([code, causesOf(run)]).toEqual([1, ['agent-exit']])
    expect(run.divergences[0]?.message).toContain('with code 0 before the run was over')
  })

  it('with process.exit(3) is red and told with its code', async () => {
    const { code, run } = await recorded.replay([[HERE, 'process.exit(3)']])
    expect([code, causesOf(run)]).toEqual([1, ['agent-exit']])
    expect(run.divergences[0]?.message).toContain('with code 3')
  })

  it('killed by a signal is red and told with the signal', async () => {
    const { code, run } = await recorded.replay([[HERE, "process.kill(process.pid, 'SIGKILL')"]])
    expect([code, causesOf(run)]).toEqual([1, ['agent-exit']])
    expect(run.divergences[0]?.message).toContain('SIGKILL')
    expect(run.totals.matched).toBe(1)
  })

  it('out of memory is red, and what it did until then is reported', async () => {
    const { code, run } = await recorded.replay(
      [[HERE, 'const all: unknown[] = []; for (;;) all.push(new Array(10_000).fill(all.length))']],
      [],
      { env: { NODE_OPTIONS: '--max-old-space-size=64' } },
    )
    expect([code, causesOf(run)]).toEqual([1, ['agent-exit']])
    expect(run.totals.matched).toBe(1)
  })
})

describe('an agent that throws', () => {
  it('is red, with the error, its stack in the sources, and the line', async () => {
    const { code, run } = await recorded.replay([[HERE, "throw new RangeError('out of rope')"]])
    expect([code, causesOf(run)]).toEqual([1, ['agent-error']])
    expect(run.divergences[0]?.message).toBe('the agent threw RangeError: out of rope')
    expect(run.divergences[0]?.source).toMatchObject({ file: 'agent.ts', line: 10 })
  })

  it('outside of its promise (a timer) is red with that error', async () => {
    const { code, run } = await recorded.replay([
      [
        HERE,
        "setTimeout(() => { throw new Error('from a timer') }); await new Promise(done => setTimeout(done, 500))",
      ],
    ])
    expect([code, causesOf(run)]).toEqual([1, ['agent-error']])
    expect(run.divergences[0]?.message).toContain('from a timer')
  })

  it('into a promise that nobody looks at is red with that error', async () => {
    const { code, run } = await recorded.replay([
      [HERE, "Promise.reject(new Error('nobody listens')); await new Promise(done => setTimeout(done, 500))"],
    ])
    expect([code, causesOf(run)]).toEqual([1, ['agent-error']])
    expect(run.divergences[0]?.message).toContain('nobody listens')
  })

  it('something that is no error is red with what it threw', async () => {
    const { code, run } = await recorded.replay([[HERE, "throw 'just text'"]])
    expect([code, causesOf(run)]).toEqual([1, ['agent-error']])
    expect(run.divergences[0]?.message).toContain('just text')
  })
})

describe('an agent that does not end', () => {
  it('in a busy loop is ended at --timeout', async () => {
    const { code, run } = await recorded.replay([[HERE, 'for (;;);']], ['--timeout', '1s'])
    expect([code, causesOf(run)]).toEqual([1, ['agent-timeout']])
    expect(run.divergences[0]?.message).toContain('last call step')
    expect(run.durationMs).toBeLessThan(15_000)
  })

  it('waiting for what can never happen is told at once, not at the time-out', async () => {
    const { code, run } = await recorded.replay([[HERE, 'await new Promise(() => {})']])
    expect([code, causesOf(run)]).toEqual([1, ['agent-stalled']])
    expect(run.durationMs).toBeLessThan(10_000)
  })

  it('waiting for ever with a timer alive is ended at --timeout', async () => {
    const { code, run } = await recorded.replay(
      [[HERE, 'setInterval(() => {}, 50); await new Promise(() => {})']],
      ['--timeout', '1s'],
    )
    expect([code, causesOf(run)]).toEqual([1, ['agent-timeout']])
  })
})

describe('an agent that returned but keeps its process alive', () => {
  it('by a server has matched, with a note', async () => {
    const { run } = await recorded.replay([[HERE, 'createServer().listen(0)']])
    expect(run).toMatchObject(MATCHED)
    expect(run.notes.map(note => note.code)).toEqual(['process-kept-alive'])
    expect(run.durationMs).toBeLessThan(10_000)
  })

  it('by an interval has matched, with a note', async () => {
    const { run } = await recorded.replay([[HERE, 'setInterval(() => {}, 1000)']])
    expect(run).toMatchObject(MATCHED)
    expect(run.notes.map(note => note.code)).toEqual(['process-kept-alive'])
    expect(run.durationMs).toBeLessThan(10_000)
  })

  it('by a child process has matched, and the child is ended, too', async () => {
    const { run } = await recorded.replay([[HERE, "spawn('sleep', ['60'], { stdio: 'ignore' })"]])
    expect(run).toMatchObject(MATCHED)
  })

  it('nothing at all adds no note', async () => {
    const { run } = await recorded.replay([])
    expect(run).toMatchObject({ ...MATCHED, notes: [] })
  })
})

describe('an agent that catches the refusal of a call', () => {
  it('is red all the same, and the report says that it went on', async () => {
    const { code, stdout, stderr } = await recorded.report([
      [HERE, 'await step({ n: 2 }).catch(() => {}); await step({ n: 2 }).catch(() => {})'],
    ])
    expect(code).toBe(1)
    expect(stdout).toContain('extra call after 1: step is not in the recording with this input')
    expect(stdout).toContain('tried 2 times; the agent caught the refusal and went on')
    expect(stderr).toBe('')
  })

  it('or never looks at it, is red and not ended by it', async () => {
    const { code, run } = await recorded.replay([
      [HERE, 'void step({ n: 2 }); await new Promise(done => setTimeout(done, 50))'],
    ])
    expect([code, causesOf(run)]).toEqual([1, ['extra']])
    expect(run.output.equal).toBe(true)
  })
})

describe('what an agent prints', () => {
  it('arrives whole on stderr, 4 MB of it, and nothing on stdout', async () => {
    const { code, stdout, stderr, run } = await recorded.replay([
      [
        HERE,
        "for (let i = 0; i < 4; i++) process.stdout.write('x'.repeat(1e6)); console.log('the last line')",
      ],
    ])
    expect(code).toBe(0)
    expect(stderr.length).toBe(4e6 + 'the last line\n'.length)
    expect(stderr.endsWith('xthe last line\n')).toBe(true)
    expect(stdout).not.toContain('xxx')
    expect(run).toMatchObject(MATCHED)
  })

  it('just before process.exit arrives, too', async () => {
    const { stderr } = await recorded.replay([[HERE, "console.log('y'.repeat(1e6)); process.exit(0)"]])
    expect(stderr.length).toBe(1e6 + 1)
  })
})
