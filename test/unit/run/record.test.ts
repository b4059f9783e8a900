import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { record, setOutput, traceTool } from '../../../src/index.ts'
import { readBundle, validateBundle } from '../../../src/testing.ts'
import {
  answer,
  calls,
  code,
  eventsOf,
  freshFolder,
  freshPath,
  orderStatus,
  recording,
  refund,
  session,
} from './desk.ts'

describe('record()', () => {
  it('gives back what the function returns, and writes every call into a valid bundle', async () => {
    const path = freshPath()
    const result = await record({ agent: 'desk', output: path, input: 'A-17' }, answer)
    expect(result).toEqual({ text: 'answer to order A-17 is delivered', ref: 'R-A-17' })
    expect(validateBundle(path, { verifyIntegrity: true }).issues).toEqual([])
    expect(calls(path)).toEqual(['order_status', 'gpt', 'round', 'refund'])
    expect(eventsOf(path)[0]).toMatchObject({ type: 'run_start', input: 'A-17' })
    expect(eventsOf(path).at(-1)).toMatchObject({ run_status: 'completed', output: result })
  })

  it('of a run that fails writes it as failed and throws the very error', async () => {
    const path = freshPath()
    const error = new RangeError('over the limit')
    const run = record({ agent: 'desk', output: path }, async () => {
      await orderStatus({ id: 'x' })
      throw error
    })
    await expect(run).rejects.toBe(error)
    const { manifest } = readBundle(path)
    expect(manifest).toMatchObject({
      status: 'failed',
      failure: { type: 'RangeError', message: 'over the limit' },
    })
    expect(validateBundle(path).issues).toEqual([])
  })

  it('of a function that throws before it returns a promise rejects with it', async () => {
    const path = freshPath()
    const throws = (): never => {
      throw new TypeError('at once')
    }
    await expect(record({ agent: 'desk', output: path }, throws)).rejects.toThrow('at once')
    expect(readBundle(path).manifest.status).toBe('failed')
  })

  it('throws the error of the run, not that of a bundle that could then not be written', async () => {
    const parent = freshFolder()
    const inTheWay = async (): Promise<never> => {
      mkdirSync(join(parent, 'run.sftrace'))
      writeFileSync(join(parent, 'run.sftrace/notes.txt'), 'mine')
      throw new Error('of the run')
    }
    const options = { agent: 'desk', output: join(parent, 'run.sftrace') }
    await expect(record(options, inTheWay)).rejects.toThrow('of the run')
  })

  it('throws the problem of writing when the run itself went well, with what the function returned', async () => {
    const parent = freshFolder()
    const inTheWay = async (): Promise<string> => {
      writeFileSync(join(parent, 'run.sftrace'), 'a file')
      return 'done'
    }
    const options = { agent: 'desk', output: join(parent, 'run.sftrace') }
    await expect(record(options, inTheWay)).rejects.toMatchObject({
      code: 'BUNDLE_EXISTS',
      hint: expect.stringContaining('record --recover'),
      result: 'done',
    })
  })

  it('records the arguments that it is given', async () => {
    const path = freshPath()
    expect(await record({ agent: 'sum', output: path, args: [2, 3] }, (a: number, b: number) => a + b)).toBe(
      5,
    )
    expect(eventsOf(path)[0]).toMatchObject({ input: { args: [2, 3] } })
  })

  it('says before the function is called that the bundle exists, and replaces it when asked to', async () => {
    const path = await recording()
    let called = false
    const fn = async (): Promise<void> => {
      called = true
    }
    await expect(record({ agent: 'desk', output: path }, fn)).rejects.toEqual(code('BUNDLE_EXISTS'))
    expect(called).toBe(false)
    await record({ agent: 'desk', output: path, overwrite: true }, fn)
    expect(calls(path)).toEqual([])
  })

  it('says before the function is called that the input is no JSON', async () => {
    let called = false
    const run = record({ agent: 'desk', output: freshPath(), input: { when: () => 1 } }, (_: unknown) => {
      called = true
    })
    await expect(run).rejects.toEqual(code('NOT_JSON'))
    expect(called).toBe(false)
  })

  it('puts the bundle where it is told: a bundle, a folder, names with {agent} and {runId}', async () => {
    const parent = freshFolder()
    const to = async (output: string): Promise<void> =>
      record({ agent: 'my desk!', output: join(parent, output) }, () => {})
    await to('one.sftrace')
    await to('folder')
    await to('{agent}/{runId}.sftrace')
    expect(existsSync(join(parent, 'one.sftrace'))).toBe(true)
    expect(readdirSync(join(parent, 'folder'))).toEqual([
      expect.stringMatching(/^my-desk-run_\w{32}\.sftrace$/),
    ])
    expect(readdirSync(join(parent, 'my-desk'))).toEqual([expect.stringMatching(/^run_\w{32}\.sftrace$/)])
  })

  it('leaves nothing beside the bundle', async () => {
    const parent = freshFolder()
    await record({ agent: 'desk', output: join(parent, 'run.sftrace'), input: 'x' }, answer)
    expect(readdirSync(parent)).toEqual(['run.sftrace'])
  })

  it('keeps the journal of what happened when the bundle cannot be written', async () => {
    const parent = freshFolder()
    const path = join(parent, 'run.sftrace')
    const inTheWay = async (): Promise<void> => {
      await orderStatus({ id: 'x' })
      writeFileSync(path, 'a file')
    }
    await record({ agent: 'desk', output: path }, inTheWay).catch(() => {})
    expect(readFileSync(join(`${path}.part`, 'journal.jsonl'), 'utf8')).toMatch(/order_status/)
  })
})

describe('what the recording keeps', () => {
  it('is the input as it was when the call was made, and the result as it was handed out', async () => {
    const path = freshPath()
    const search = traceTool('search', async (_query: { words: string[] }) => ({ hits: ['a'] }))
    await record({ agent: 'desk', output: path }, async () => {
      const query = { words: ['one'] }
      const pending = search(query)
      query.words.push('later')
      const result = await pending
      result.hits.push('later')
    })
    const events = eventsOf(path)
    expect(events[1]).toMatchObject({ input: { words: ['one'] } })
    expect(events[2]).toMatchObject({ output: { hits: ['a'] } })
  })

  it('holds no secret, and says where one stood', async () => {
    const path = freshPath()
    const login = traceTool('login', async (_: { password: string }) => ({ api_key: 'k-123' }))
    await record({ agent: 'desk', output: path, input: { password: 'start' } }, async (_: unknown) =>
      login({ password: 'hunter2' }),
    )
    const text = readFileSync(join(path, 'events.jsonl'), 'utf8')
    expect(text).not.toMatch(/hunter2|k-123|"start"/)
    expect(
      eventsOf(path)
        .slice(0, 3)
        .map(({ redactions }) => redactions),
    ).toEqual([['/input/password'], ['/input/password'], ['/output/api_key']])
  })

  it('holds no secret of an error either, and says where it stood', async () => {
    const path = freshPath()
    const secret = `Bearer ${'x'.repeat(40)}`
    const login = traceTool('login', async () => {
      throw Object.assign(new Error(`refused ${secret}`), { request: { authorization: secret } })
    })
    await record({ agent: 'desk', output: path }, login).catch(() => {})
    expect(readFileSync(join(path, 'events.jsonl'), 'utf8')).not.toContain('xxxxx')
    const redactions = eventsOf(path).map(event => event.redactions)
    expect(redactions.slice(2, 5)).toEqual([
      ['/output/message'],
      ['/details/stepfork/members/request/authorization', '/message'],
      ['/details/stepfork/members/request/authorization', '/message'],
    ])
  })

  it('is redacted in the journal, too, also the stack of what ended the run', async () => {
    const path = freshPath()
    const inTheWay = async (): Promise<never> => {
      writeFileSync(path, 'a file')
      throw new Error(`refused Bearer ${'x'.repeat(40)}`)
    }
    await record({ agent: 'desk', output: path }, inTheWay).catch(() => {})
    const journal = readFileSync(join(`${path}.part`, 'journal.jsonl'), 'utf8')
    expect(journal).toMatch(/refused Bearer \[REDACTED\]/)
    expect(journal).not.toContain('xxxxx')
  })

  it('has what setOutput was given in place of what was returned', async () => {
    const path = freshPath()
    await record({ agent: 'desk', output: path }, () => setOutput({ said: true }))
    expect(eventsOf(path).at(-1)).toMatchObject({ output: { said: true } })
  })

  it('of a tool that fails has the failure, which the agent may catch', async () => {
    const path = freshPath()
    const result = await record({ agent: 'desk', output: path }, async () =>
      refund({ id: 'x', amount: 500 }).catch(error => error),
    )
    expect(result).toBeInstanceOf(RangeError)
    expect(eventsOf(path).map(({ type }) => type)).toEqual([
      'run_start',
      'tool_call',
      'tool_result',
      'error',
      'run_end',
    ])
  })

  it('of a result without JSON form is nothing, but the agent has its result', async () => {
    const path = freshPath()
    const open = traceTool('open', async () => ({ get: (key: number) => key + 1 }))
    expect(await record({ agent: 'desk', output: path }, async () => (await open()).get(1))).toBe(2)
    await expect(session(path).run(() => open())).rejects.toThrow(/has no answer for this call of open/)
  })
})
