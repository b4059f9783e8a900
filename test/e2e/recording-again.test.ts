/** `stepfork record --again`: the same input, live, swapped in, with what changed. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'
import { fixtureBundle, recordIn, workspace, writeFiles } from './workspace.ts'

const AGENT = `
import { traceTool } from 'stepfork'
const search = traceTool('search', async ({ query }: { query: string }) => query.length)
const read = traceTool('read', async ({ page }: { page: number }) => 'page ' + page)
const notify = traceTool('notify', async () => 'sent')
export async function run(question: string) {
  const found = await search({ query: question })
  await notify()
  return read({ page: found })
}
`
const AGAIN = ['record', '--again', 'run.sftrace', '--agent', 'agent.ts']

async function recorded(input = 'What is new?'): Promise<string> {
  const folder = workspace({ 'agent.ts': AGENT })
  await recordIn(folder, ['--input', input, '--name', 'reader'])
  return folder
}

describe('record --again', () => {
  it('runs with the recorded input, keeps the name, replaces the recording and says that nothing changed', async () => {
    const folder = await recorded()
    const before = runId(folder)
    const { code, stdout } = await runCli(AGAIN, { cwd: folder })
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('run.sftrace  recorded reader: 3 calls, completed'),
    ])
    expect(stdout).toContain('against the recording before: 3 of 3 calls as before, and so is the output')
    expect(runId(folder)).not.toBe(before)
    expect(readdirSync(folder).filter(name => name.includes('sftrace'))).toEqual(['run.sftrace'])
    expect((await runCli(['validate', 'run.sftrace', '--verify-integrity'], { cwd: folder })).code).toBe(0)
    expect((await runCli(['replay', 'run.sftrace', '--agent', 'agent.ts'], { cwd: folder })).code).toBe(0)
  })

  it('names what was asked something else, answered something else, is new and is gone', async () => {
    const folder = await recorded()
    const edited = AGENT.replace("'page ' + page", "'leaf ' + page")
      .replace('await notify()', "await search({ query: 'more' })")
      .replace('query: question', 'query: question.trim() + "!"')
    writeFiles(folder, { 'agent.ts': edited })
    const { stdout } = await runCli(AGAIN, { cwd: folder })
    expect(stdout).toContain('against the recording before: 0 of 3 calls as before, the run ends otherwise')
    expect(stdout).toContain('search was asked something else (call 1)')
    expect(stdout).toContain('search is new (call 2)')
    expect(stdout).toContain('read was asked something else (call 3)')
    expect(stdout).toContain('notify is no longer called (call 2 before)')
  })

  it('leaves the recording as it was when the agent cannot be loaded', async () => {
    const folder = await recorded()
    const before = runId(folder)
    writeFiles(folder, { 'agent.ts': 'export const run = (' })
    expect((await runCli(AGAIN, { cwd: folder })).code).toBe(2)
    expect(runId(folder)).toBe(before)
    expect(readdirSync(folder).filter(name => name.includes('sftrace'))).toEqual(['run.sftrace'])
  })

  it('leaves it as it was when it is interrupted, and says where the new run lies', async () => {
    const folder = await recorded()
    const before = runId(folder)
    writeFiles(folder, {
      'agent.ts': AGENT.replace(
        'await notify()',
        "console.log('waiting'); await new Promise(() => setInterval(() => {}, 9))",
      ),
    })
    const { code, stdout } = await runCli(AGAIN, { cwd: folder, onStart: interruptOnce })
    expect([code, runId(folder)]).toEqual([130, before])
    expect(stdout).toContain('run.sftrace stays as it was')
    expect(stdout).toContain('npx stepfork inspect run.again.sftrace')
    expect(existsSync(join(folder, 'run.again.sftrace/manifest.json'))).toBe(true)
  })

  it('keeps the redaction of the recording unless it is told another one', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    await recordIn(folder, ['--input', 'What is new?', '--redaction', 'compatible'])
    await runCli(AGAIN, { cwd: folder })
    expect(readFileSync(join(folder, 'run.sftrace/x-origin.jsonl'), 'utf8')).toContain(
      '"redaction":"compatible"',
    )
    await runCli([...AGAIN, '--redaction', 'strong'], { cwd: folder })
    expect(readFileSync(join(folder, 'run.sftrace/x-origin.jsonl'), 'utf8')).toContain('"redaction":"strong"')
  })

  it('keeps files of others that lie in the recording', async () => {
    const folder = await recorded()
    writeFileSync(join(folder, 'run.sftrace/NOTES.md'), 'mine')
    await runCli(AGAIN, { cwd: folder })
    expect(readFileSync(join(folder, 'run.sftrace/NOTES.md'), 'utf8')).toBe('mine')
  })

  it('without the agent says how it was recorded, and runs nothing', async () => {
    const folder = await recorded()
    const { code, stderr } = await runCli(['record', '--again', 'run.sftrace'], { cwd: folder })
    expect([code, stderr]).toEqual([2, expect.stringContaining('It was recorded with --agent agent.ts')])
  })

  it('of an input with a secret asks for the input', async () => {
    const folder = await recorded('{"password":"hunter2"}')
    const { code, stderr } = await runCli(AGAIN, { cwd: folder })
    expect([code, stderr]).toEqual([2, expect.stringContaining('--input')])
    const given = await runCli([...AGAIN, '--input', 'What is new?'], { cwd: folder })
    expect(given.code).toBe(0)
  })

  it('of a bundle by Python gives the agent its input', async () => {
    const folder = workspace({
      'agent.ts': AGENT.replace('question: string', 'input: unknown').replace(
        'query: question',
        'query: JSON.stringify(input)',
      ),
    })
    const name = readdirSync(join(fixtureBundle('x'), '..')).find(file => file.endsWith('.sftrace'))!
    const bundle = fixtureBundle(name.replace('.sftrace', ''))
    const { code, stdout } = await runCli(
      ['record', '--again', bundle, '--agent', 'agent.ts', '-o', 'new.sftrace'],
      { cwd: folder },
    )
    expect([code, stdout]).toEqual([0, expect.stringContaining('against the recording before')])
  })
})

function runId(folder: string): string {
  return JSON.parse(readFileSync(join(folder, 'run.sftrace/manifest.json'), 'utf8')).run_id
}

function interruptOnce(child: ChildProcess): void {
  const onData = (chunk: Buffer): void => {
    if (chunk.includes('waiting')) child.kill('SIGINT')
  }
  child.stderr?.on('data', onData)
}
