import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AgentBundle, bundleAgent } from '../../../src/load/bundle-agent.ts'
import { createLocator } from '../../../src/load/locate-source.ts'
import { createStackMapper } from '../../../src/load/map-stack.ts'
import { tsxArguments } from '../../../src/load/tsx-loader.ts'
import { emptyFolder, writeFiles } from './agent-world.ts'

/** `site()` stands for stepfork at the boundary: it returns the stack of the call as V8 prints it. */
const FILES = {
  'package.json': '{ "type": "module" }',
  'node_modules/stepfork/package.json':
    '{ "name": "stepfork", "type": "module", "exports": "./dist/index.js" }',
  'node_modules/stepfork/dist/index.js':
    'export const site = () => new Error("site").stack.split("\\n").slice(1)\n',
  'node_modules/framework/package.json': '{ "name": "framework", "type": "module", "exports": "./i.js" }',
  'node_modules/framework/i.js': 'export const through = tool => [1].map(() => tool())[0]\n',
  'src/agent.ts': `import { through } from 'framework'
import { order } from './lib/tools.js'

export async function run(): Promise<unknown> {
  const answers: unknown = through(() => order('A-17'))
  return answers
}

export function fail(reason: string): never {
  throw new RangeError(reason)
}
`,
  'src/lib/tools.ts': `import { site } from 'stepfork'

interface Order {
  readonly id: string
}

enum Kind { Plain }

export const order = (id: string): string[] => {
  const wanted: Order = { id }
  return Kind.Plain === 0 && wanted ? site() : []
}
`,
}

let root: string
let bundle: AgentBundle

beforeEach(async () => {
  root = emptyFolder()
  writeFiles(root, FILES)
  bundle = await bundleAgent(join(root, 'src/agent.ts'))
})

afterEach(() => {
  bundle.dispose()
  rmSync(root, { recursive: true, force: true })
})

const SOURCE = {
  file: 'src/lib/tools.ts',
  line: 11,
  column: 39,
  function: 'order',
  calledFrom: { file: 'src/agent.ts', line: 5, column: 42, function: null },
  frame: [
    '  10 |   const wanted: Order = { id }',
    '> 11 |   return Kind.Plain === 0 && wanted ? site() : []',
    '     |                                       ^',
    '  12 | }',
  ],
}

describe('the place of a call', () => {
  it('is the line of TypeScript, past the frames of stepfork and of packages', () => {
    expect(createLocator(bundle, root)(framesOf(bundle.code))).toEqual(SOURCE)
  })

  it('is the same when Node has mapped the stack already', () => {
    expect(createLocator(bundle, root)(framesOf(bundle.code, ['--enable-source-maps']))).toEqual(SOURCE)
  })

  it('is the same under tsx, without a bundle', () => {
    const { execArgv } = tsxArguments(bundle.file)
    expect(createLocator(null, root)(framesOf(bundle.file, execArgv))).toEqual(SOURCE)
  })

  it('is relative to the working directory', () => {
    const source = createLocator(bundle, join(root, 'src/lib'))(framesOf(bundle.code))
    expect([source?.file, source?.calledFrom?.file]).toEqual(['tools.ts', '../agent.ts'])
  })

  it('needs no file of the bundle any more once it is disposed of', () => {
    const frames = framesOf(bundle.code)
    bundle.dispose()
    expect(createLocator(bundle, root)(frames)).toEqual(SOURCE)
  })

  it('has no frame when the source is gone', () => {
    const frames = framesOf(bundle.code)
    rmSync(join(root, 'src/lib/tools.ts'))
    const { frame, ...place } = SOURCE
    expect(createLocator(bundle, root)(frames)).toEqual(place)
  })

  it("is unknown when no frame is the user's", () => {
    const frames = [
      '    at node:internal/timers:1:1',
      `    at f (${root}/node_modules/x/i.js:1:1)`,
      'nonsense',
    ]
    expect(createLocator(bundle, root)(frames)).toBeNull()
    expect(createLocator(null, root)([])).toBeNull()
  })

  it('has the exact column behind constants that were put into the line', async () => {
    writeFiles(root, {
      'src/meta.ts':
        "import { site } from 'stepfork'; export const run = () => [import.meta.url, site()][1]\n",
    })
    const meta = await bundleAgent(join(root, 'src/meta.ts'))
    expect(createLocator(meta, root)(framesOf(meta.code))).toMatchObject({ line: 1, column: 77 })
    meta.dispose()
  })

  it('is found in a folder whose name is no name for a URL', async () => {
    const folder = 'my agents #1 100%'
    const code = "import { site } from 'stepfork'\nexport const run = () => site()\n"
    writeFiles(root, { [`${folder}/søk?.ts`]: code })
    const odd = await bundleAgent(join(root, folder, 'søk?.ts'))
    for (const flags of [[], ['--enable-source-maps']]) {
      expect(createLocator(odd, root)(framesOf(odd.code, flags))).toMatchObject({
        file: `${folder}/søk?.ts`,
        line: 2,
      })
    }
    odd.dispose()
  })

  it('is no line of a checkout of stepfork that the agent is linked with', () => {
    writeFiles(root, { 'checkout/package.json': '{ "name": "stepfork" }' })
    const frames = [
      `at f (${root}/checkout/dist/index.js:1:1)`,
      `at g (${root}/checkout/examples/agent.ts:1:1)`,
    ]
    expect(createLocator(null, root)(frames)?.file).toBe('checkout/examples/agent.ts')
  })
})

describe('the stack of an error', () => {
  it('has the positions of the source and no frame of Node', () => {
    const stack = printed(bundle.code, 'try { agent.fail("why") } catch (error) { print(error.stack) }')
    expect(createStackMapper(bundle, root)(stack as string)).toEqual(['at fail (src/agent.ts:10:9)'])
  })

  it('keeps the frames of packages, and at most ten', () => {
    const frames = Array.from(
      { length: 20 },
      (_, index) => `    at f${index} (${root}/node_modules/x/i.js:${index + 1}:1)`,
    )
    const lines = createStackMapper(null, root)(['Error: x', '    at node:fs:1:1', ...frames].join('\n'))
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe('at f0 (node_modules/x/i.js:1:1)')
  })

  it('takes no line of the message for a frame', () => {
    const stack = `Error: see\n at the office\nfoo at ${root}/a.ts:1:1\n    at run (${root}/b.ts:2:3)`
    expect(createStackMapper(null, root)(stack)).toEqual(['at run (b.ts:2:3)'])
  })

  it('names the line of an import that a package does not have', async () => {
    writeFiles(root, { 'src/link.ts': "\nimport { nothing } from 'framework'\nexport const run = nothing\n" })
    const linked = await bundleAgent(join(root, 'src/link.ts'))
    const stack = printed(linked.code, '', 'print(error.stack)')
    expect(createStackMapper(linked, root)(stack as string)).toEqual(['at src/link.ts:2:1'])
    linked.dispose()
  })
})

function framesOf(code: string, execArgv: readonly string[] = []): string[] {
  return printed(code, 'print(await agent.run())', 'throw error', execArgv) as string[]
}

/** Runs `then` on the imported agent in a real Node process, and returns what it prints. */
function printed(
  code: string,
  then: string,
  onError = 'throw error',
  execArgv: readonly string[] = [],
): unknown {
  const program = `
    const print = value => process.stdout.write(JSON.stringify(value))
    try {
      const agent = await import(${JSON.stringify(pathToFileURL(code).href)})
      ${then}
    } catch (error) {
      ${onError}
    }`
  const args = [...execArgv, '--input-type=module', '-e', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: '/', encoding: 'utf8' }))
}
