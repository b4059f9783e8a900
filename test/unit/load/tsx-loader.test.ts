import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tsxArguments } from '../../../src/load/tsx-loader.ts'
import { type AgentWorld, createWorld, writeFiles } from './agent-world.ts'

let world: AgentWorld

beforeAll(() => {
  world = createWorld('module')
})

afterAll(() => {
  world.remove()
})

it('an agent with aliases runs under tsx from another working directory', () => {
  writeFiles(world.root, { 'paths-alias/print.ts': "import { run } from './agent.ts'\nconsole.log(run())" })
  const { execArgv, env } = tsxArguments(join(world.root, 'paths-alias/print.ts'))
  const args = [...execArgv, join(world.root, 'paths-alias/print.ts')]
  const out = execFileSync(process.execPath, args, {
    cwd: '/',
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  expect(out).toBe('hello alias\n')
})

it('the loader is a file of the installed tsx, by its full URL', () => {
  const [flag, url] = tsxArguments(join(world.root, 'enums/agent.ts')).execArgv
  expect(flag).toBe('--import')
  expect(existsSync(fileURLToPath(url!))).toBe(true)
})

it('no tsconfig is named when there is none', () => {
  expect(tsxArguments(join(world.root, 'enums/agent.ts')).env).toEqual({})
})
