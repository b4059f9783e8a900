/** An agent that sends dates and ids is replayed on another day, and nothing of that is a difference; a real change is. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { causesOf, type ReplayedRun, replayJson, runCli } from './run-cli.ts'
import { linkStepfork, recordIn, recordThenChange, workspace, writeFiles } from './workspace.ts'

const FORMS = resolve(import.meta.dirname, '../agents/chance-forms.ts')

/** Too short to be found, hashed, or in an alphabet of which nobody knows: these need a rule, or --seeded. */
const BEYOND = ['ksuid', 'nanoidOtherAlphabet', 'shortUuid', 'uuidFirst4', 'uuidHashed']

describe('88 forms of dates, times and random values, two of each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-e2e-'))
  beforeAll(() => recordIn(folder, ['--agent', `${FORMS}#run`]))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const variants = [
    'unchanged',
    'draws before',
    'draws in the interval',
    'reads in the interval',
    'all but that',
  ]
  for (const variant of [...variants, 'one call more']) {
    it(`${variant}: all match but those that nobody can find again`, async () => {
      const run = await replayed(variant)
      expect([redForms(run), run.output.equal]).toEqual([BEYOND, true])
    })
  }

  it('on another day', async () => {
    const run = await replayed('unchanged', { NODE_OPTIONS: `--require ${anotherDay()}` })
    expect([redForms(run), run.output.equal]).toEqual([BEYOND, true])
  })

  it('every helper asked once more: dates and times of the day still match', async () => {
    const red = redForms(await replayed('every helper once more'))
    for (const form of ['dateText', 'localeDate', 'dateOnly', 'hours', 'tomorrow'])
      expect(red).not.toContain(form)
    expect(red).toContain('uuid')
  })

  async function replayed(variant: string, env: NodeJS.ProcessEnv = {}): Promise<ReplayedRun> {
    const args = ['run.sftrace', '--agent', `${FORMS}#run`]
    return (await replayJson(args, { cwd: folder, env: { ...env, VARIANT: variant } })).run
  }
})

describe('the same forms, recorded with --seeded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-e2e-'))
  let printed = ''
  beforeAll(async () => {
    printed = (await recordIn(folder, ['--agent', `${FORMS}#run`, '--seeded'])).stdout
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const variant of ['unchanged', 'all but that']) {
    it(`${variant}: all match, on another day, too`, async () => {
      const args = ['run.sftrace', '--agent', `${FORMS}#run`]
      const env = { NODE_OPTIONS: `--require ${anotherDay()}`, VARIANT: variant }
      expect(redForms((await replayJson(args, { cwd: folder, env })).run)).toEqual([])
    })
  }

  it('the closing lines say that the bundle is a secret now', () => {
    expect(printed.replace(/\s+/g, ' ')).toContain('This recording counts as a secret: it holds the seed')
  })
})

function redForms(run: ReplayedRun): string[] {
  const forms = run.divergences.flatMap(({ recorded }) => (recorded as { form?: string } | null)?.form ?? [])
  return [...new Set(forms)].sort()
}

/** A clock that is more than three days ahead from the first moment of the process. */
function anotherDay(): string {
  const ahead = (3 * 24 + 7) * 3_600_000 + 12_345
  const folder = workspace({
    'ahead.cjs': `const now = Date.now
      globalThis.Date = class Date extends Date {
        constructor(...args) { super(...(args.length === 0 ? [now() + ${ahead}] : args)) }
        static now() { return now() + ${ahead} }
      }`.replace('class Date extends Date', 'class extends Date'),
  })
  return join(folder, 'ahead.cjs')
}

const AGENT = `
import { randomUUID } from 'node:crypto'
import { traceTool } from 'stepfork'
const ask = traceTool('ask', async (question: object) => ({ at: Date.now(), question: JSON.stringify(question).length }))
const newId = () => randomUUID()
const monday = () => new Date(Date.now() + 3 * 86_400_000)
export async function run() {
  const ids = [newId(), newId()]
  await ask({ prompt: 'Today is ' + new Date().toDateString(), id: ids[0] })
  await ask({ until: monday().toISOString(), id: ids[1] })
  return { started: new Date().toISOString(), lucky: Math.random() }
}
`

describe('a change of the agent is a difference still', () => {
  for (const [what, was, is, causes] of [
    [
      'two ids swapped',
      'const ids = [newId(), newId()]',
      'const ids = [newId(), newId()].reverse()',
      ['changed-input 1 /id', 'changed-input 2 /id'],
    ],
    ['one id for two', 'id: ids[1]', 'id: ids[0]', ['changed-input 2 /id']],
    [
      'a constant for a random id',
      'id: ids[1]',
      "id: '7b0c1b5e-0000-4000-8000-000000000000'",
      ['changed-input 2 /id'],
    ],
    ['a day later', '3 * 86_400_000', '4 * 86_400_000', ['changed-input 2 /until']],
    ['another random number', 'Math.random() }', 'Math.random() / 2 }', ['output-differs /lucky']],
  ] as const) {
    it(what, async () => {
      const folder = await recordThenChange(AGENT, [[was, is]])
      const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
      expect(causesOf(run)).toEqual(causes)
    })
  }
})

describe('an agent on a real SDK', () => {
  it('with dates and ids in prompts, in URLs and in a form matches on another day, its server gone', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(request.url!.includes('/chat/') ? COMPLETION : { ok: true }))
      })
    })
    await new Promise<void>(done => void server.listen(0, done))
    const { port } = server.address() as AddressInfo
    const folder = workspace({ 'agent.ts': SDK_AGENT })
    symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
    const env = { OPENAI_BASE_URL: `http://localhost:${port}/v1`, OPENAI_API_KEY: 'none' }
    await recordIn(folder, [], { env })
    await new Promise(done => server.close(done))
    const ahead = { NODE_OPTIONS: `--require ${anotherDay()}` }
    const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder, env: ahead })
    expect([causesOf(run), run.totals.matched, run.output.equal]).toEqual([[], 7, true])
  })
})

const SDK_AGENT = `
import { randomUUID } from 'node:crypto'
import { nanoid } from 'nanoid'
import OpenAI from 'openai'
export async function run() {
  const client = new OpenAI()
  const service = process.env.OPENAI_BASE_URL!
  const said = []
  for (let i = 0; i < 2; i++) {
    const content = \`Today is \${new Date().toDateString()}, \${new Date().toISOString()}; request \${randomUUID()}\`
    const reply = await client.chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] })
    said.push(reply.choices[0]!.message.content)
    // At once after an answer: the package, too, looks at the clock, behind the head and before the end.
    const asked = { role: 'user', content: \`It is \${Date.now()} now, \${new Date().toISOString()}\` } as const
    await client.chat.completions.create({ model: 'gpt-4o-mini', messages: [asked] })
    await fetch(\`\${service}/log?t=\${Date.now()}&id=\${nanoid()}\`)
  }
  const form = new FormData()
  form.append('ticket', randomUUID().slice(0, 8))
  await fetch(\`\${service}/tickets\`, { method: 'POST', body: form })
  return { said, until: new Date(Date.now() + 3_600_000) .toISOString() }
}
`

const COMPLETION = {
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Noted.' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

describe('what is served', () => {
  it('is counted in the report and in --json', async () => {
    const folder = await recordThenChange(AGENT)
    const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect(run.verdict).toBe('matched')
    expect(run.served.ids).toBe(3)
    expect(run.served.times).toBeGreaterThan(0)
  })

  it('is the same with the other loader, and for what a CommonJS agent took out of the modules when it was loaded', async () => {
    const agent = `
      const { randomUUID, randomBytes } = require('node:crypto')
      const { now } = Date
      const { random } = Math
      const { getRandomValues } = require('node:crypto')
      const { traceTool } = require('stepfork')
      const ask = traceTool('ask', async question => null)
      exports.run = async function run() {
        await ask({ id: randomUUID(), at: now(), n: random(), hex: randomBytes(8).toString('hex'), web: getRandomValues(new Uint32Array(1))[0] })
      }`
    const folder = workspace({ 'agent.cjs': agent })
    linkStepfork(folder)
    await recordIn(folder, ['--agent', 'agent.cjs'])
    for (const loader of ['bundle', 'tsx']) {
      const { run } = await replayJson(['run.sftrace', '--agent', 'agent.cjs', '--loader', loader], {
        cwd: folder,
      })
      expect([loader, causesOf(run)]).toEqual([loader, []])
    }
  })

  it('is in the run that --save keeps, too', async () => {
    const agent = `
      import { randomUUID } from 'node:crypto'
      import { traceTool } from 'stepfork'
      const newId = () => randomUUID()
      const first = traceTool('first', async (input: object) => 1)
      const second = traceTool('second', async (input: object) => Date.now())
      export async function run() {
        await first({ id: newId(), at: new Date() .toISOString(), lucky: Math.random() })
        await second({ id: newId(), day: new Date().toDateString() })
        return { id: newId(), at: Date.now() }
      }`
    const folder = workspace({ 'agent.ts': agent })
    await recordIn(folder)
    const ahead = { NODE_OPTIONS: `--require ${anotherDay()}` }
    const save = ['run.sftrace', '--agent', 'agent.ts', '--live', 'second', '--save', 'new.sftrace']
    const saved = await replayJson(save, { cwd: folder, env: ahead })
    expect(causesOf(saved.run)).toEqual([])
    const { run } = await replayJson(['new.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([causesOf(run), run.output.equal]).toEqual([[], true])
    expect(run.served.ids).toBe(4)
  })

  it('never reaches a tool that runs for real', async () => {
    const agent = `
      import { traceTool } from 'stepfork'
      const clock = traceTool('clock', async () => ({ now: Date.now(), random: Math.random() }))
      export async function run() { return [Date.now(), await clock()] as const }`
    const folder = workspace({ 'agent.ts': agent })
    const ahead = { NODE_OPTIONS: `--require ${anotherDay()}` }
    await recordIn(folder)
    const args = ['run.sftrace', '--agent', 'agent.ts', '--live', 'clock', '--evidence', 'all']
    const { run } = await replayJson(args, { cwd: folder, env: ahead })
    const call = run.calls[0] as unknown as { recorded: { output: Clocked }; actual: { output: Clocked } }
    expect(call.actual.output.now - call.recorded.output.now).toBeGreaterThan(3 * 86_400_000)
    expect(call.actual.output.random).not.toBe(call.recorded.output.random)
  })
})

interface Clocked {
  readonly now: number
  readonly random: number
}

describe('x-determinism.jsonl', () => {
  it('holds no id or key that was drawn, only where it stands, and nothing of one that was redacted', async () => {
    const agent = `
      import { randomBytes, randomUUID } from 'node:crypto'
      import { traceTool } from 'stepfork'
      const ask = traceTool('ask', async (question: object) => null)
      export async function run() {
        const [shown, hidden] = [randomUUID(), randomBytes(12).toString('hex')]
        await ask({ shown, password: hidden })
        console.log(shown + ' ' + hidden)
      }`
    const folder = workspace({ 'agent.ts': agent })
    const { stderr } = await recordIn(folder)
    const [shown, hidden] = /([0-9a-f-]{36}) ([0-9a-f]{24})/.exec(stderr)!.slice(1)
    const sidecar = readFileSync(join(folder, 'run.sftrace/x-determinism.jsonl'), 'utf8')
    expect(sidecar).not.toContain(shown)
    expect(sidecar).not.toContain(hidden)
    expect(sidecar).toContain('"path":"/shown"')
    expect(sidecar).not.toContain('/password')
  })

  it('is listed in integrity.json, and a recording without it replays with the real clock', async () => {
    const folder = await recordThenChange(AGENT)
    const integrity = readFileSync(join(folder, 'run.sftrace/integrity.json'), 'utf8')
    expect(integrity).toContain('x-determinism.jsonl')
    rmSync(join(folder, 'run.sftrace/x-determinism.jsonl'))
    rmSync(join(folder, 'run.sftrace/integrity.json'))
    const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect(causesOf(run)).toContain('changed-input 1 /id')
    expect(run.served).toEqual({ ids: 0, times: 0 })
  })

  it('has a seed only when it was asked for, and never that of another recording', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    const seeds: (string | undefined)[] = []
    for (const flags of [[], ['--seeded'], ['--seeded']]) {
      await recordIn(folder, ['--overwrite', ...flags])
      const [header] = readFileSync(join(folder, 'run.sftrace/x-determinism.jsonl'), 'utf8').split('\n')
      seeds.push(/"seed":"([0-9a-f]{64})"/.exec(header!)?.[1])
    }
    expect([seeds[0], new Set(seeds).size]).toEqual([undefined, 3])
  })

  it('that is damaged names its line, exit 2', async () => {
    const folder = await recordThenChange(AGENT)
    const text =
      '{"format":"stepfork-determinism","version":1}\n{"read":"wall","interval":-1,"site":"run","values":[]}\n'
    writeFiles(folder, { 'run.sftrace/x-determinism.jsonl': text })
    const { code, stdout } = await runCli(['replay', 'run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, stdout]).toEqual([2, expect.stringContaining('x-determinism.jsonl:2')])
  })
})
