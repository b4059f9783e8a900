/** The agents of test/agents/sdk in folders of their own, and the world that they are recorded in. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { NODE } from './run-cli.ts'
import { changedText } from './workspace.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const AGENTS = join(ROOT, 'test/agents/sdk')

export type Changes = readonly (readonly [string, string])[]

/** A server in a process of its own; `urls` is the line that it printed. */
export interface ServerProcess {
  readonly urls: { readonly [name: string]: string }
  stop(): Promise<void>
}

/** A script of test/agents/sdk. */
export async function startServer(script: string): Promise<ServerProcess> {
  const child = spawn(NODE, [join(AGENTS, script)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { urls: JSON.parse(line), stop: () => stopped(child) }
}

async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export interface AgentFolder {
  readonly path: string
  dispose(): void
}

/** `agent.ts` in a folder that sees the packages of this repository. */
export function agentFolder(name: string, changes: Changes = []): AgentFolder {
  const path = mkdtempSync(join(tmpdir(), 'stepfork-sdk-'))
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  const text = readFileSync(join(AGENTS, `${name}.ts`), 'utf8')
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(path, 'agent.ts'), changedText(text, changes))
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) }
}

/** Neither a key nor an address: what a replay gets. */
export const NOTHING_SET: NodeJS.ProcessEnv = Object.fromEntries(
  Object.keys(process.env)
    .filter(name => /_API_KEY$|_BASE_URL$|_URL$/.test(name))
    .map(name => [name, undefined]),
)

export const KEYS = {
  OPENAI_API_KEY: 'sk-live-5up3rs3cr3tk3y',
  ANTHROPIC_API_KEY: 'sk-ant-5up3rs3cr3tk3y',
}
