/** What `record` says last: what it did not see, and what git should be told. */
import { appendFileSync, mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CliRun, runCli } from './run-cli.ts'
import { linkStepfork, workspace } from './workspace.ts'

const AGENT = `
import { writeFileSync, promises } from 'node:fs'
import { connect } from 'node:net'
import { spawnSync } from 'node:child_process'
import { traceTool } from 'stepfork'
const reach = () => new Promise(done => connect(Number(process.env.PORT), '127.0.0.1', function (this: any) { this.end(); done(1) }))
const work = traceTool('work', async () => {
  if (process.env.INSIDE) { await reach(); writeFileSync('inside.txt', ''); spawnSync('true') }
  return 1
})
export async function run() {
  await work()
  if (process.env.OUTSIDE) { await reach(); await reach(); writeFileSync('outside.txt', ''); await promises.appendFile('log.txt', 'x'); spawnSync('true') }
}
`

async function recordWith(env: { [name: string]: string }): Promise<CliRun & { port: number }> {
  const server = createServer(socket => socket.end())
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const folder = workspace({ 'agent.ts': AGENT })
  const result = await runCli(['record', '--agent', 'agent.ts#run', '-o', 'run.sftrace'], {
    cwd: folder,
    env: { PORT: String(port), ...env },
  })
  return { ...result, port }
}

describe('the closing lines of record', () => {
  it('name connections, files and programs outside of calls, each once, and what becomes of them', async () => {
    const { stdout, port } = await recordWith({ OUTSIDE: '1' })
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `not recorded: the connection to 127.0.0.1:${port}, which a replay refuses; the file outside.txt, which a replay writes as well; the file log.txt, which a replay writes as well; calls and connections in the child process true`,
    )
  })

  it('say nothing of what happens in the body of a call, which is part of it', async () => {
    const { stdout } = await recordWith({ INSIDE: '1' })
    expect(stdout).toContain('1 call, completed')
    expect(stdout).not.toContain('not recorded')
  })

  it('of a run without calls say what is seen', async () => {
    const folder = workspace({ 'agent.mjs': '' })
    const { stdout } = await runCli(['record', '-o', 'run.sftrace', '--', 'node', 'agent.mjs'], {
      cwd: folder,
    })
    expect(stdout.replace(/\s+/g, ' ')).toContain('No call was seen. Requests over HTTP are seen')
  })

  it('end, after a command, with the command that replays it', async () => {
    const folder = workspace({
      'my agent.mjs': "import { traceTool } from 'stepfork'\nawait traceTool('work', async () => 1)()",
    })
    linkStepfork(folder)
    const { stdout } = await runCli(['record', '-o', 'run.sftrace', '--', 'node', 'my agent.mjs', 'a b'], {
      cwd: folder,
    })
    expect(stdout).toContain("npx stepfork replay run.sftrace -- node 'my agent.mjs' 'a b'")
  })
})

describe('the line for .gitattributes', () => {
  const SIMPLE = "import { traceTool } from 'stepfork'\nexport const run = traceTool('work', async () => 1)"
  const HINT = "echo '**/*.sftrace/** -text -diff linguist-generated' >> "

  it('is shown on the first recording in a folder of a repository, and not on the next', async () => {
    const folder = workspace({ 'agent.ts': SIMPLE, 'sub/agent.ts': SIMPLE })
    mkdirSync(join(folder, '.git'))
    const first = await runCli(['record', '--agent', 'agent.ts'], { cwd: folder })
    expect(first.stdout).toContain(`${HINT}.gitattributes`)
    const second = await runCli(['record', '--agent', 'agent.ts'], { cwd: folder })
    expect(second.stdout).not.toContain('gitattributes')
    const below = await runCli(['record', '--agent', 'agent.ts'], { cwd: join(folder, 'sub') })
    expect(below.stdout).toContain(`${HINT}../.gitattributes`)
  })

  it('is not shown where it is followed already, nor outside of a repository', async () => {
    const folder = workspace({ 'agent.ts': SIMPLE })
    const outside = await runCli(['record', '--agent', 'agent.ts', '-o', 'run.sftrace'], { cwd: folder })
    expect(outside.stdout).not.toContain('gitattributes')
    mkdirSync(join(folder, '.git'))
    appendFileSync(join(folder, '.gitattributes'), '**/*.sftrace/** -text\n')
    const followed = await runCli(['record', '--agent', 'agent.ts'], { cwd: folder })
    expect(followed.stdout).not.toContain('gitattributes')
  })
})
