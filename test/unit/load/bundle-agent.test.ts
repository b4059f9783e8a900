import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundleAgent } from '../../../src/load/bundle-agent.ts'
import { emptyFolder, writeFiles } from './agent-world.ts'
import { runBundles } from './run-bundle.ts'

let root: string

beforeEach(() => {
  root = emptyFolder()
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const AGENT = { 'src/agent.ts': 'export const run = (): string => "ran"' }
const INSTALLED = { 'node_modules/some/package.json': '{ "name": "some" }' }

describe('the place of a bundle', () => {
  it('is the cache in the nearest node_modules', async () => {
    writeFiles(root, { ...AGENT, ...INSTALLED })
    const bundle = await bundleAgent(join(root, 'src/agent.ts'))
    expect(dirname(bundle.code)).toBe(join(root, 'node_modules/.cache/stepfork'))
    expect(await runBundles({ it: bundle.code })).toEqual({ it: 'ran' })
    bundle.dispose()
    expect(existsSync(bundle.code)).toBe(false)
  })

  it('is beside the agent when node_modules cannot be written', async () => {
    writeFiles(root, { ...AGENT, 'node_modules/.cache': 'a file where a folder should be' })
    const bundle = await bundleAgent(join(root, 'src/agent.ts'))
    expect(bundle.code).toMatch(/\/src\/\.stepfork-agent-\w+-\w+\.mjs$/)
    expect(await runBundles({ it: bundle.code })).toEqual({ it: 'ran' })
    bundle.dispose()
    expect(readdirSync(join(root, 'src'))).toEqual(['agent.ts'])
  })

  it('is among the temporary files for an agent without packages, whose folder stays as it is', async () => {
    writeFiles(root, AGENT)
    const bundle = await bundleAgent(join(root, 'src/agent.ts'))
    expect(bundle.code.startsWith(join(tmpdir(), 'stepfork-'))).toBe(true)
    expect(readdirSync(join(root, 'src'))).toEqual(['agent.ts'])
    expect(await runBundles({ it: bundle.code })).toEqual({ it: 'ran' })
    bundle.dispose()
    expect(existsSync(dirname(bundle.code))).toBe(false)
  })

  it.skipIf(process.getuid?.() === 0)('works in a tree that is read-only, with packages', async () => {
    writeFiles(root, {
      'src/agent.ts': "import { a } from 'some'\nexport const run = () => a",
      'node_modules/some/package.json': '{ "name": "some", "type": "module", "exports": "./i.js" }',
      'node_modules/some/i.js': 'export const a = "read-only"',
    })
    for (const folder of ['src', 'node_modules']) chmodSync(join(root, folder), 0o555)
    const bundle = await bundleAgent(join(root, 'src/agent.ts'))
    expect(bundle.code.startsWith(join(tmpdir(), 'stepfork-'))).toBe(true)
    expect(await runBundles({ it: bundle.code })).toEqual({ it: 'read-only' })
    bundle.dispose()
    for (const folder of ['src', 'node_modules']) chmodSync(join(root, folder), 0o755)
  })

  it('is not shared by two runs of one agent at the same time', async () => {
    writeFiles(root, { ...AGENT, ...INSTALLED })
    const [one, two] = await Promise.all([1, 2].map(() => bundleAgent(join(root, 'src/agent.ts'))))
    one!.dispose()
    expect(await runBundles({ it: two!.code })).toEqual({ it: 'ran' })
    two!.dispose()
  })

  it('has the content in its name', async () => {
    writeFiles(root, { ...AGENT, ...INSTALLED })
    const hashes: string[] = []
    for (const text of ['one', 'one', 'two']) {
      writeFiles(root, { 'src/agent.ts': `export const run = () => '${text}'` })
      const bundle = await bundleAgent(join(root, 'src/agent.ts'))
      hashes.push(/agent-(\w+)-/.exec(bundle.code)![1]!)
      bundle.dispose()
    }
    expect(hashes[0]).toBe(hashes[1])
    expect(hashes[0]).not.toBe(hashes[2])
  })

  it('is swept of what killed runs left a day ago, and of nothing else', async () => {
    writeFiles(root, { ...AGENT, ...INSTALLED })
    const cache = join(root, 'node_modules/.cache/stepfork')
    writeFiles(cache, { 'old.mjs': '', 'new.mjs': '' })
    utimesSync(join(cache, 'old.mjs'), 1, 1)
    const bundle = await bundleAgent(join(root, 'src/agent.ts'))
    bundle.dispose()
    expect(readdirSync(cache)).toEqual(['new.mjs'])
  })
})

describe('stepfork itself', () => {
  const USES_IT = {
    'agent.ts': "import { who } from 'stepfork'\nexport const run = () => who",
    'agent.cts': "const { who } = require('stepfork')\nexports.run = () => who",
  }

  it('is our own door for a lone file', async () => {
    writeFiles(root, { ...USES_IT, 'door/index.mjs': 'export const who = "door"' })
    const door = join(root, 'door/index.mjs')
    for (const stepforkDoor of [door, pathToFileURL(door).href]) {
      expect(await ranWith('agent.ts', { stepforkDoor })).toBe('door')
    }
  })

  it('is the installed package when there is one', async () => {
    writeFiles(root, { ...USES_IT, ...packageAt('node_modules/stepfork') })
    expect(await ranWith('agent.ts', { stepforkDoor: '/nowhere/index.js' })).toBe('installed, import')
    expect(await ranWith('agent.cts', { stepforkDoor: '/nowhere/index.js' })).toBe('installed, require')
  })

  it('is the linked package, not a copy of it in the bundle', async () => {
    writeFiles(root, {
      'app/agent.ts': USES_IT['agent.ts'],
      'app/node_modules/x/package.json': '{}',
      ...packageAt('checkout'),
    })
    symlinkSync(join(root, 'checkout'), join(root, 'app/node_modules/stepfork'), 'junction')
    const bundle = await bundleAgent(join(root, 'app/agent.ts'), { stepforkDoor: '/nowhere/index.js' })
    expect(bundle.inputs).toEqual([join(root, 'app/agent.ts')])
    expect(readFileSync(bundle.code, 'utf8')).toContain('from "stepfork"')
    expect(await runBundles({ it: bundle.code })).toEqual({ it: 'installed, import' })
    bundle.dispose()
  })

  it('is missing with a sentence when there is neither', async () => {
    writeFiles(root, USES_IT)
    await expect(bundleAgent(join(root, 'agent.ts'))).rejects.toThrow(
      'There is no package "stepfork" to import',
    )
  })

  function packageAt(folder: string): Record<string, string> {
    return {
      [`${folder}/package.json`]:
        '{ "name": "stepfork", "exports": { "import": "./i.mjs", "require": "./r.cjs" } }',
      [`${folder}/i.mjs`]: 'export const who = "installed, import"',
      [`${folder}/r.cjs`]: 'exports.who = "installed, require"',
    }
  }

  async function ranWith(name: string, options: { stepforkDoor: string }): Promise<unknown> {
    const bundle = await bundleAgent(join(root, name), options)
    const { it } = await runBundles({ it: bundle.code })
    bundle.dispose()
    return it
  }
})

describe('what is known of a bundle', () => {
  it.each([
    ['agent.ts', 'export const run = 1; export default 2', ['default', 'run']],
    ['script.ts', 'console.log(1)', []],
    ['agent.cjs', 'exports.run = 1', null],
    ['agent.cts', 'exports.run = 1', null],
    ['stars.ts', "export * from './agent.ts'", ['run']],
  ])('are the exports of %s, when they are known without running it', async (name, code, exports) => {
    writeFiles(root, { 'agent.ts': 'export const run = 1', [name]: code })
    const bundle = await bundleAgent(join(root, name))
    expect(bundle.exports === null ? null : [...bundle.exports].sort()).toEqual(exports)
    bundle.dispose()
  })

  it('are its source files, the agent first and packages left out', async () => {
    writeFiles(root, {
      'b.ts': "import './a.ts'\nimport 'some'\nimport data from './data.json'\nexport default data",
      'a.ts': 'export const a = import.meta.url',
      'data.json': '{}',
      'node_modules/some/package.json': '{ "main": "i.js" }',
      'node_modules/some/i.js': '',
    })
    const bundle = await bundleAgent(join(root, 'b.ts'))
    expect(bundle.inputs).toEqual(['b.ts', 'a.ts', 'data.json'].map(name => join(root, name)))
    bundle.dispose()
  })

  it('is the file behind a symbolic link', async () => {
    writeFiles(root, AGENT)
    symlinkSync(join(root, 'src/agent.ts'), join(root, 'linked.ts'))
    const bundle = await bundleAgent(join(root, 'linked.ts'))
    expect(bundle.file).toBe(join(root, 'src/agent.ts'))
    bundle.dispose()
  })
})

describe('a script', () => {
  const GUARDED = {
    'esm.mts': 'console.log(process.argv[1] === import.meta.filename, import.meta.main)',
    'cjs.cts': "import path = require('node:path')\nconsole.log(require.main === module, typeof path.sep)",
    'mixed.ts': "import { sep } from 'node:path'\nconsole.log(require.main === module, typeof sep)",
    'plain.cjs': "'use strict'\nconsole.log(require.main === module, module.exports !== undefined)",
  }

  it.each(Object.keys(GUARDED))('%s sees itself as main when it is run as one', async name => {
    expect(await printed(name, true)).toMatch(/^true (true|string)\n$/)
  })

  it.each(Object.keys(GUARDED))(
    '%s does not see itself as main when an entry of it is called',
    async name => {
      expect(await printed(name, false)).toMatch(/^false (false|string|true)\n$/)
    },
  )

  async function printed(name: string, asMain: boolean): Promise<string> {
    writeFiles(root, GUARDED)
    const bundle = await bundleAgent(join(root, name))
    const program = `${asMain ? 'process.argv[1] = process.argv[2];' : ''} import(process.argv[3])`
    const args = ['-e', program, '--', 'x', bundle.file, pathToFileURL(bundle.code).href]
    const out = execFileSync(process.execPath, args, { encoding: 'utf8' })
    bundle.dispose()
    return out
  }
})
