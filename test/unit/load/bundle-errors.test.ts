import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StepforkError } from '../../../src/errors.ts'
import { bundleAgent } from '../../../src/load/bundle-agent.ts'
import { showPath } from '../../../src/load/show-path.ts'
import { emptyFolder, writeFiles } from './agent-world.ts'

let root: string

beforeEach(() => {
  root = emptyFolder()
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

describe('an agent that cannot be loaded', () => {
  it('is named, with the file that was probably meant', async () => {
    writeFiles(root, { 'src/support-desk.ts': '', 'src/notes.md': '' })
    const error = await failure('src/suport-desk.ts')
    expect(error).toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: `There is no agent file ${shown('src/suport-desk.ts')}`,
    })
    expect(error.hint).toBe(`Did you mean ${shown('src/support-desk.ts')}?`)
  })

  it('may have been meant with another ending', async () => {
    writeFiles(root, { 'agent.ts': '' })
    expect((await failure('agent.js')).hint).toBe(`Did you mean ${shown('agent.ts')}?`)
    expect((await failure('agent')).hint).toBe(`Did you mean ${shown('agent.ts')}?`)
  })

  it('gets no suggestion when nothing is near', async () => {
    writeFiles(root, { 'zebra.ts': '' })
    expect((await failure('agent.ts')).hint).toBe('Give --agent the path of a TypeScript or JavaScript file')
  })

  it('may be a folder', async () => {
    writeFiles(root, { 'src/agent.ts': '' })
    const error = await failure('src')
    expect(error).toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: `The agent ${shown('src')} is a folder, not a file`,
    })
    expect(error.hint).toBe(`Name a file in it: ${shown('src/agent.ts')}`)
  })

  it('may be in another language', async () => {
    writeFiles(root, { 'agent.py': 'print(1)' })
    const error = await failure('agent.py')
    expect(error.code).toBe('AGENT_IMPORT_FAILED')
    expect(error.message).toBe(`The agent ${shown('agent.py')} is not a TypeScript or JavaScript file`)
    expect(error.hint).toContain('.ts')
  })
})

describe('a syntax error', () => {
  it('is shown with file, line, column and the line itself', async () => {
    writeFiles(root, { 'agent.ts': 'export const a = 1\n\nexport function run() {\n  const x = { y: ;\n}\n' })
    const error = await failure('agent.ts')
    expect(error.code).toBe('AGENT_SYNTAX')
    expect(error.message.split('\n')).toEqual([
      `${shown('agent.ts')}:4:18 Unexpected ";"`,
      '  3 | export function run() {',
      '> 4 |   const x = { y: ;',
      '    |                  ^',
      '  5 | }',
    ])
  })

  it('is found in a file that the agent imports', async () => {
    writeFiles(root, { 'agent.ts': "import './lib/broken.ts'", 'lib/broken.ts': '\nlet let = 1\n' })
    expect((await failure('agent.ts')).message).toContain(`${shown('lib/broken.ts')}:2:5 `)
  })

  it('has its column in characters, not in bytes', async () => {
    writeFiles(root, { 'agent.ts': "const s = 'é€😀'; let = ;" })
    const [first] = (await failure('agent.ts')).message.split('\n')
    expect(first).toContain(`${shown('agent.ts')}:1:25 `)
  })

  it('has its own column and line where constants were put before it', async () => {
    writeFiles(root, { 'agent.ts': 'const here = import.meta.url; const x = ;' })
    const lines = (await failure('agent.ts')).message.split('\n')
    expect(lines[0]).toBe(`${shown('agent.ts')}:1:41 Unexpected ";"`)
    expect(lines[1]).toBe('> 1 | const here = import.meta.url; const x = ;')
  })

  it('in a JSON file is one, too', async () => {
    writeFiles(root, {
      'agent.ts': "import data from './data.json'\nconsole.log(data)",
      'data.json': '{\n  "a": oops\n}',
    })
    const error = await failure('agent.ts')
    expect(error.code).toBe('AGENT_SYNTAX')
    expect(error.message).toContain(`${shown('data.json')}:2:8 `)
  })

  it('counts the others', async () => {
    writeFiles(root, {
      'agent.ts': "import { a } from './b.ts'\nimport { c } from './b.ts'\na(c)",
      'b.ts': 'export {}',
    })
    expect((await failure('agent.ts')).message.split('\n')[0]).toMatch(/ \(and 1 more\)$/)
  })
})

describe('an import that leads nowhere', () => {
  it('names the line that imports a missing file', async () => {
    writeFiles(root, {
      'agent.ts': "import { b } from './b.ts'\nimport { c } from './lib/c'\nb(c)",
      'b.ts': 'export const b = 1',
    })
    const error = await failure('agent.ts')
    expect(error.code).toBe('AGENT_IMPORT_FAILED')
    expect(error.message.split('\n')[0]).toBe(
      `${shown('agent.ts')}:2:19 There is no file "./lib/c" to import`,
    )
    expect(error.hint).toContain('relative to the file that imports it')
  })

  it('names the line that imports a package that is not installed', async () => {
    writeFiles(root, { 'agent.ts': "\nimport { z } from '@scope/absent/deep'\nz()" })
    const error = await failure('agent.ts')
    expect(error.code).toBe('AGENT_IMPORT_FAILED')
    expect(error.message).toContain(
      `${shown('agent.ts')}:2:19 There is no package "@scope/absent/deep" to import`,
    )
    expect(error.hint).toContain('npm install @scope/absent)')
  })

  it('names the line that imports a name which the file does not export', async () => {
    writeFiles(root, {
      'agent.ts': "import { tolls } from './tools.ts'\ntolls()",
      'tools.ts': 'export const tools = 1',
    })
    const error = await failure('agent.ts')
    expect(error.code).toBe('AGENT_IMPORT_FAILED')
    expect(error.message.split('\n')[0]).toBe(
      `${shown('agent.ts')}:1:10 ${shown('tools.ts')} has no export "tolls"`,
    )
    expect(error.hint).toContain('tools')
  })

  it('names the line that imports what is no code', async () => {
    writeFiles(root, {
      'agent.ts': "import prompt from './prompt.md'\nconsole.log(prompt)",
      'prompt.md': '# Prompt',
    })
    const error = await failure('agent.ts')
    expect(error.code).toBe('AGENT_IMPORT_FAILED')
    expect(error.message).toContain(`${shown('agent.ts')}:1:20 ${shown('prompt.md')} is no code`)
  })

  it('of a type only is no error', async () => {
    writeFiles(root, {
      'agent.ts':
        "import { Shape } from './t.ts'\nimport { Other } from 'types-only'\nexport const run = (s: Shape, o: Other) => [s, o]",
      't.ts': 'export interface Shape { a: 1 }',
    })
    const bundle = await bundleAgent(join(root, 'agent.ts'))
    expect(bundle.exports).toEqual(['run'])
    bundle.dispose()
  })
})

it('leaves no file behind when the agent cannot be bundled', async () => {
  writeFiles(root, { 'agent.ts': 'let = ;', 'node_modules/x/package.json': '{}' })
  await failure('agent.ts')
  const cache = join(root, 'node_modules/.cache/stepfork')
  expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([])
  expect(readdirSync(root).sort()).toEqual(['agent.ts', 'node_modules'])
})

async function failure(name: string): Promise<StepforkError> {
  return bundleAgent(join(root, name)).then(
    () => {
      throw new Error(`${name} was bundled`)
    },
    (error: StepforkError) => error,
  )
}

function shown(name: string): string {
  return showPath(join(root, name))
}
