import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundleAgent } from '../../../src/load/bundle-agent.ts'
import { emptyFolder, writeFiles } from './agent-world.ts'
import { runBundles } from './run-bundle.ts'

let root: string

beforeEach(() => {
  root = emptyFolder()
  writeFiles(root, {
    'package.json': '{ "type": "module" }',
    'node_modules/reads/package.json': '{ "name": "reads", "type": "module", "exports": "./i.js" }',
    'node_modules/reads/i.js': 'export const key = globalThis.loadTestKey ?? "unset"',
    'node_modules/waits/package.json': '{ "name": "waits", "type": "module", "exports": "./i.js" }',
    'node_modules/waits/i.js': 'export const key = await Promise.resolve(globalThis.loadTestKey ?? "unset")',
  })
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const SETS = 'globalThis.loadTestKey = "set"\nexport const done = true\n'

describe('a package that is loaded after a file of the agent', () => {
  it('sees what the file did', async () => {
    const files = {
      'setup.ts': SETS,
      'agent.ts': agent("import { done } from './setup.ts'\nexport { done }", 'reads'),
    }
    expect(await ran(files)).toMatchObject({ value: 'set', inPlace: true })
  })

  it('may itself await while it loads', async () => {
    const files = { 'setup.ts': SETS, 'agent.ts': agent("import './setup.ts'", 'waits') }
    expect(await ran(files)).toMatchObject({ value: 'set', inPlace: true })
  })

  it('is found through files that only import', async () => {
    const files = {
      'setup.ts': SETS,
      'first.ts': "import './setup.ts'",
      'deep/second.ts': "export { key } from 'reads'",
      'agent.ts': "import './first.ts'\nimport { key } from './deep/second.ts'\nexport const run = () => key",
    }
    expect(await ran(files)).toMatchObject({ value: 'set', inPlace: true })
  })

  it('is imported plainly when the file only declares', async () => {
    const files = {
      'pure.ts':
        'export const twice = (n: number): number => n * 2\nexport interface Shape { a: 1 }\nexport enum Kind { A }',
      'agent.ts': agent("import { twice } from './pure.ts'\nexport { twice }", 'reads'),
    }
    expect(await ran(files)).toMatchObject({ value: 'unset', inPlace: false })
  })

  it('is imported plainly when it comes first', async () => {
    const files = { 'setup.ts': SETS, 'agent.ts': `${agent('', 'reads')}\nimport './setup.ts'` }
    expect(await ran(files)).toMatchObject({ value: 'unset', inPlace: false })
  })

  it('is imported plainly when an ES file of the agent is required, which forbids to wait', async () => {
    const files = {
      'setup.ts': SETS,
      'uses.ts': "import { key } from 'reads'\nexport const used = key",
      'agent.ts': "import './setup.ts'\nexport const run = () => typeof require('./uses.ts').used",
    }
    expect(await ran(files)).toMatchObject({ value: 'string', inPlace: false })
  })

  function agent(first: string, name: string): string {
    return `${first}\nimport { key } from '${name}'\nexport const run = () => key`
  }

  async function ran(files: Record<string, string>): Promise<{ value: unknown; inPlace: boolean }> {
    writeFiles(root, files)
    const bundle = await bundleAgent(join(root, 'agent.ts'))
    const code = readFileSync(bundle.code, 'utf8')
    const { value } = await runBundles({ value: bundle.code })
    expect(bundle.inputs.map(path => path.slice(root.length + 1)).sort()).toEqual(Object.keys(files).sort())
    bundle.dispose()
    return { value, inPlace: code.includes('__stepfork_loaded') }
  }
})

it('legacy decorators in a file before a package are read as its tsconfig says', async () => {
  writeFiles(root, {
    'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
    'service.ts':
      'const mark = (..._: unknown[]): void => undefined\nexport class Service { constructor(@mark readonly name: string) {} }',
    'agent.ts':
      "import { Service } from './service.ts'\nimport { key } from 'reads'\nexport const run = () => [new Service('s').name, key]",
  })
  const bundle = await bundleAgent(join(root, 'agent.ts'))
  expect(await runBundles({ it: bundle.code })).toEqual({ it: ['s', 'unset'] })
  bundle.dispose()
})
