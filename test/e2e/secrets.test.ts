import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SECRET_TEXTS } from '../unit/trace/secret-texts.ts'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { copyOfBundle, linkStepfork, recordIn, workspace } from './workspace.ts'

const [, PROJECT_KEY] = SECRET_TEXTS[0]!
const SECRETS = {
  shape: PROJECT_KEY,
  variable: 'Kx-plain/0011+words',
  file: 'from.dotenv-0012',
  argument: 'from-argv-0013',
}

/** Says its secrets wherever it can, and takes a copy of what is on disk while it runs. */
const AGENT = `
import { cpSync, readdirSync } from 'node:fs'
import { traceTool } from 'stepfork'
const use = traceTool('use', async (input: unknown) => ({ got: input, header: 'x-api-key: ' + process.env.ACME_TOKEN }))
const fail = traceTool('fail', async (input: { why: string }): Promise<never> => { throw Object.assign(new Error('no entry for ' + input.why), { token: 'plain-1' }) })
export async function run(input: { api_key: string }) {
  process.env.LATE_PASSWORD = '${SECRETS.file}'
  const all = [input.api_key, process.env.ACME_TOKEN, process.env.LATE_PASSWORD, '${SECRETS.shape}', ...process.argv.slice(2)]
  await use({ all, said: 'keys: ' + all.join(' '), token: input.api_key })
  await fail({ why: all.join(' ') }).catch(() => {})
  for (const name of readdirSync('.').filter(name => name.endsWith('.part'))) cpSync(name, 'seen', { recursive: true })
  return { all }
}
`

function leaksIn(folder: string, secrets: readonly string[]): string[] {
  return readdirSync(folder).flatMap(name => {
    const text = readFileSync(join(folder, name), 'utf8')
    return secrets.filter(secret => text.includes(secret)).map(secret => `${name}: ${secret}`)
  })
}

describe('stepfork record', () => {
  it('writes no secret to any file, not even while the agent runs, and a replay without them matches', async () => {
    const folder = workspace({ 'agent.ts': AGENT, '.env.test': `ACME_TOKEN=${SECRETS.variable}\n` })
    const input = JSON.stringify({ api_key: 'plain-0014' })
    await recordIn(folder, ['--input', input, '--env-file', '.env.test', '--name', `n ${SECRETS.shape}`])
    const hidden = [SECRETS.shape, SECRETS.variable, SECRETS.file, 'plain-0014', 'plain-1"']
    expect(existsSync(join(folder, 'seen/journal.jsonl'))).toBe(true)
    expect(leaksIn(join(folder, 'seen'), hidden)).toEqual([])
    expect(leaksIn(join(folder, 'run.sftrace'), hidden)).toEqual([])
    expect(readFileSync(join(folder, 'run.sftrace/x-origin.jsonl'), 'utf8')).toContain('"redaction":"strong"')
    const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], {
      cwd: folder,
      env: { ACME_TOKEN: 'quite-another-value' },
    })
    expect([run.verdict, causesOf(run)]).toEqual(['matched', []])
  })

  it('of a command hides what stands behind an option that is named like a secret', async () => {
    const agent = `
      import { traceTool } from 'stepfork'
      const use = traceTool('use', async input => input)
      await use({ argument: process.argv[3] === undefined, token: process.argv[3] })
    `
    const folder = workspace({ 'agent.mjs': agent })
    linkStepfork(folder)
    const command = ['--', 'node', 'agent.mjs', '--access-token', SECRETS.argument]
    const { code } = await runCli(['record', '-o', 'run.sftrace', ...command], { cwd: folder })
    expect(code).toBe(0)
    expect(leaksIn(join(folder, 'run.sftrace'), [SECRETS.argument])).toEqual([])
  })
})

describe('stepfork validate --secrets', () => {
  it('finds none in what was recorded as usual, and exits with 0', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    await recordIn(folder, ['--input', '{"api_key":"plain-0014"}'], {
      cwd: folder,
      env: { ACME_TOKEN: SECRETS.variable },
    })
    const env = { ACME_TOKEN: SECRETS.variable }
    const { code, stdout } = await runCli(['validate', 'run.sftrace', '--secrets', '--verify-integrity'], {
      cwd: folder,
      env,
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining('valid')])
  })

  it('names file, line, place and kind in a bundle of Python, and never the secret', async () => {
    const folder = workspace()
    const path = copyOfBundle(folder, 'single_tool')
    const events = join(path, 'events.jsonl')
    const [first, second, ...rest] = readFileSync(events, 'utf8').split('\n')
    const leaky = second!.replace(
      /"input":\{/,
      `"input":{"note":"use ${SECRETS.shape} and ${SECRETS.variable}","x-api-key":"plain-0015",`,
    )
    expect(leaky).not.toBe(second)
    writeFileSync(events, [first, leaky, ...rest].join('\n'))
    const options = { cwd: folder, env: { ACME_TOKEN: SECRETS.variable } }
    const { code, stdout } = await runCli(['validate', path, '--secrets', '--json'], options)
    const { valid, issues } = JSON.parse(stdout)
    expect([code, valid]).toEqual([1, false])
    const found = issues.filter((issue: { code: string }) => issue.code === 'secret_found')
    expect(
      found.map(({ message, location }: { message: string; location: string }) => [message, location]),
    ).toEqual([
      [
        'value of the environment variable ACME_TOKEN, key of a model provider, at /input/note',
        `${events}:2`,
      ],
      ['value under the name of a secret, at /input/x-api-key', `${events}:2`],
    ])
    for (const secret of [...Object.values(SECRETS), 'plain-0015']) expect(stdout).not.toContain(secret)
  })
})
