import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentBundle, bundleAgent } from '../../../src/load/bundle-agent.ts'
import { type AgentWorld, createWorld } from './agent-world.ts'
import { runBundles } from './run-bundle.ts'

/** What each agent of test/fixtures/load/agents returns, in whatever package it lies. */
const EXPECTED: Readonly<Record<string, unknown>> = {
  'paths-alias': 'hello alias',
  enums: ['blue', 2, 4],
  decorators: 'key A-17!',
  'import-require': 'c.txt',
  'plain-cjs': ['cjs', 'string', true, 'object'],
  'require-in-ts': ['a/b', 42],
  json: [42, 42, '1.2.3'],
  'jsx-automatic': '{"type":"p","children":["hello ","jsx"]}',
  'jsx-preserved': ['b', { id: '1' }, 'x'],
  'top-level-await': 'awaited',
  'import-meta': {
    text: 'read beside the source',
    file: true,
    folder: true,
    relative: true,
    bare: true,
    main: false,
    near: [true, true],
  },
  'own-names': ['found from the source', true, 'mine'],
  workspace: [['hidden', 'low', true], 'high'],
  specifiers: [1, 2, 3, 4, 'deep'],
  'hidden-names': 'computed',
  'strict-shebang': [true, expect.stringMatching(/strict-shebang\/agent\.ts:4:16/)],
  'dynamic-import': ['sub', 'late'],
  'optional-package': ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'],
  'one-instance': 1,
  names: ['Tool', 'Tool', 'search'],
  cycle: [true, false],
  'modern-syntax': ['2', 'ada', 5],
  'esm-js': 'part',
  'evaluation-order': ['set', 'set', 1, 'default', true, 'Base,count,default,increment,key'],
}

/** Outside ES packages TypeScript compiles to `require`: other copies of packages, and `exports.default` as default. */
const EXPECTED_BY_TYPE: Readonly<Record<string, Readonly<Record<'module' | 'commonjs', unknown>>>> = {
  'compiled-default': { module: expect.arrayContaining(['default', 'computed']), commonjs: 'made' },
  'dual-package': { module: ['import', 'import'], commonjs: ['require', 'import'] },
}

describe.each(['module', 'commonjs', 'none'] as const)('an agent in a package of type %s', type => {
  let world: AgentWorld
  let bundles: Record<string, AgentBundle>
  let results: Record<string, unknown>

  beforeAll(async () => {
    world = createWorld(type)
    const names = [...Object.keys(EXPECTED), ...Object.keys(EXPECTED_BY_TYPE)]
    const entries = names.map(async name => [name, await bundleAgent(agentFile(world, name))] as const)
    bundles = Object.fromEntries(await Promise.all(entries))
    results = await runBundles(Object.fromEntries(names.map(name => [name, bundles[name]!.code])))
  })

  afterAll(() => {
    for (const bundle of Object.values(bundles)) bundle.dispose()
    expect(readdirSync(join(world.root, 'node_modules/.cache/stepfork'))).toEqual([])
    world.remove()
  })

  it.each(Object.keys(EXPECTED))('runs %s', name => {
    expect(results[name]).toEqual(EXPECTED[name])
  })

  it.each(Object.keys(EXPECTED_BY_TYPE))('runs %s as its compiler would have it', name => {
    expect(results[name]).toEqual(EXPECTED_BY_TYPE[name]![type === 'module' ? 'module' : 'commonjs'])
  })

  it('has an expectation for every agent of the fixtures', () => {
    const agents = readdirSync(join(import.meta.dirname, '../../fixtures/load/agents'))
    expect(agents.sort()).toEqual(Object.keys(bundles).sort())
  })
})

function agentFile(world: AgentWorld, name: string): string {
  const file = readdirSync(join(world.root, name)).find(entry => entry.startsWith('agent.'))
  return join(world.root, name, file!)
}
