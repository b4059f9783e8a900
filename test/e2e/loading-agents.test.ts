/** Agent files that cannot be loaded: a sentence with the place and what to do, exit 2, no stack trace of ours. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'
import { fixtureBundle, workspace } from './workspace.ts'

interface Case {
  readonly what: string
  readonly source: string
  readonly agent?: string
  readonly code: string
  readonly says: readonly string[]
}

const CASES: readonly Case[] = [
  {
    what: 'a file that is not there',
    source: '',
    agent: 'agnet.ts',
    code: 'AGENT_NOT_FOUND',
    says: ['agnet.ts', 'Did you mean agent.ts?'],
  },
  { what: 'a folder', source: '', agent: '.', code: 'AGENT_NOT_FOUND', says: ['is a folder', 'agent.ts'] },
  { what: 'a Python file', source: '', agent: 'agent.py', code: 'AGENT_NOT_FOUND', says: ['agent.py'] },
  {
    what: 'a syntax error',
    source: 'export function run( {\n  return 1\n}\n',
    code: 'AGENT_SYNTAX',
    says: ['agent.ts:2:'],
  },
  {
    what: 'an import of a package that is not installed',
    source: "import 'no-such-package'\nexport function run() {}\n",
    code: 'AGENT_IMPORT_FAILED',
    says: ['no-such-package', 'agent.ts:1:'],
  },
  {
    what: 'an import of a file that is not there',
    source: "import './prompt.ts'\nexport function run() {}\n",
    code: 'AGENT_IMPORT_FAILED',
    says: ['./prompt.ts', 'agent.ts:1:'],
  },
  {
    what: 'an error while the file is imported',
    source: "export function run() {}\nthrow new Error('no configuration')\n",
    code: 'AGENT_IMPORT_FAILED',
    says: ['no configuration', 'agent.ts:2:'],
  },
  {
    what: 'an error in an async import',
    source: "export function run() {}\nawait Promise.reject(new TypeError('no database'))\n",
    code: 'AGENT_IMPORT_FAILED',
    says: ['no database', 'agent.ts:2:'],
  },
  {
    what: 'an export that is not there',
    source: 'export function answer() {}\n',
    agent: 'agent.ts#anwser',
    code: 'AGENT_NO_ENTRY',
    says: ['anwser', 'answer'],
  },
  {
    what: 'two functions, none of them named',
    source: 'export function ask() {}\nexport function tell() {}\n',
    code: 'AGENT_NO_ENTRY',
    says: ['ask and tell', 'agent.ts#ask', 'export async function run(input)'],
  },
  {
    what: 'a class only',
    source: 'export class Agent {}\n',
    code: 'AGENT_NO_ENTRY',
    says: ['Agent', 'class'],
  },
  {
    what: 'a call while it is imported',
    source:
      "import { traceTool } from 'stepfork'\nconst look = traceTool('look', async () => 1)\nexport const first = await look()\nexport function run() {}\n",
    code: 'AGENT_IMPORT_FAILED',
    says: ['look', 'while it is being imported'],
  },
  {
    what: 'process.exit while it is imported',
    source: 'export function run() {}\nprocess.exit(0)\n',
    code: 'AGENT_IMPORT_FAILED',
    says: ['agent.ts', 'exit'],
  },
]

describe('an agent file with', () => {
  for (const { what, source, agent = 'agent.ts', code, says } of CASES) {
    it(`${what}: ${code}, exit 2`, async () => {
      const folder = workspace({ 'agent.ts': source })
      const result = await runCli(['replay', fixtureBundle('single_tool'), '--agent', agent], { cwd: folder })
      expect(result.code).toBe(2)
      const text = result.stdout + result.stderr
      for (const piece of [code, ...says]) expect(text).toContain(piece)
      expect(text).not.toMatch(/stepfork\/(?:dist|src)|at .*chunk-/)
    })
  }
})

describe('record with the same files', () => {
  for (const { what, source, agent = 'agent.ts', code } of CASES) {
    it(`${what}: ${code}, exit 2, and leaves no bundle`, async () => {
      const folder = workspace({ 'agent.ts': source })
      const result = await runCli(['record', '--agent', agent, '-o', 'run.sftrace'], { cwd: folder })
      expect(result.code).toBe(2)
      expect(result.stderr).toContain(code)
      expect(leftIn(folder)).toEqual(['agent.ts'])
    })
  }
})

function leftIn(folder: string): string[] {
  return readdirSync(folder)
}
