/** Bundles that cannot be read: a sentence with file, line and what to do, exit 2, never a stack trace. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDocument, runCli } from './run-cli.ts'
import { copyOfBundle, fixtureAgent, workspace } from './workspace.ts'

interface Damage {
  readonly what: string
  /** Gets the bundle's path; may return another one to use. */
  readonly damage: (bundle: string) => string | undefined
  readonly code: 'BUNDLE_NOT_FOUND' | 'BUNDLE_INVALID' | 'BUNDLE_UNSUPPORTED'
  readonly says: readonly string[]
}

const DAMAGES: readonly Damage[] = [
  {
    what: 'a path that is not there',
    damage: bundle => bundle.replace('single_tool', 'singel_tool'),
    code: 'BUNDLE_NOT_FOUND',
    says: ['singel_tool.sftrace'],
  },
  {
    what: 'a file in place of a folder',
    damage: bundle => other(bundle, 'file.sftrace', path => writeFileSync(path, '{}')),
    code: 'BUNDLE_INVALID',
    says: ['file.sftrace'],
  },
  {
    what: 'a folder with another ending',
    damage: bundle => other(bundle, 'run.trace', path => cpSync(bundle, path, { recursive: true })),
    code: 'BUNDLE_INVALID',
    says: ['run.trace', '.sftrace'],
  },
  {
    what: 'a folder that is empty',
    damage: bundle => other(bundle, 'empty.sftrace', path => mkdirSync(path)),
    code: 'BUNDLE_INVALID',
    says: ['manifest.json'],
  },
  ...['manifest.json', 'events.jsonl', 'redactions.json'].map(
    file =>
      ({
        what: `no ${file}`,
        damage: edit(file, path => rmSync(path)),
        code: 'BUNDLE_INVALID',
        says: [file],
      }) as const,
  ),
  {
    what: 'an empty manifest.json',
    damage: write('manifest.json', () => ''),
    code: 'BUNDLE_INVALID',
    says: ['manifest.json'],
  },
  {
    what: 'a manifest that is a list',
    damage: write('manifest.json', () => '[]'),
    code: 'BUNDLE_INVALID',
    says: ['manifest.json'],
  },
  {
    what: 'a last line that is cut off',
    damage: edit('events.jsonl', path => truncateSync(path, readFileSync(path).length - 40)),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl:4:'],
  },
  {
    what: 'an empty line in between',
    damage: write('events.jsonl', text => text.replace('\n', '\n\n')),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl:2:'],
  },
  {
    what: 'bytes that are not UTF-8',
    damage: edit('events.jsonl', path =>
      writeFileSync(
        path,
        Buffer.concat([
          readFileSync(path).subarray(0, 700),
          Buffer.from([0xff, 0xfe]),
          readFileSync(path).subarray(700),
        ]),
      ),
    ),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl', 'UTF-8'],
  },
  {
    what: 'NaN',
    damage: write('events.jsonl', text => text.replace('"high_c":24', '"high_c":NaN')),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl:3:', 'NaN'],
  },
  {
    what: 'nesting a thousand levels deep',
    damage: write('events.jsonl', text =>
      text.replace('"high_c":24', `"high_c":${'['.repeat(1000)}${']'.repeat(1000)}`),
    ),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl:3:', 'deep'],
  },
  {
    what: 'another schema version',
    damage: write('manifest.json', text => text.replace('"0.1"', '"9.7"')),
    code: 'BUNDLE_UNSUPPORTED',
    says: ['9.7', '0.1'],
  },
  {
    what: 'an event of an unknown type',
    damage: write('events.jsonl', text => text.replace('"type":"tool_call"', '"type":"tool_kall"')),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl:2:'],
  },
  {
    what: 'an unknown field in an event',
    damage: write('events.jsonl', text => text.replace('"input":{"city"', '"mood":1,"input":{"city"')),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl:1:', 'mood'],
  },
  {
    what: 'an unknown field in the manifest',
    damage: write('manifest.json', text => text.replace('{', '{"mood":1,')),
    code: 'BUNDLE_INVALID',
    says: ['manifest.json', 'mood'],
  },
  {
    what: 'a link in place of a file',
    damage: edit('events.jsonl', path => {
      rmSync(path)
      symlinkSync('/etc/passwd', path)
    }),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl', 'link'],
  },
  {
    what: 'a folder in place of a file',
    damage: edit('events.jsonl', path => {
      rmSync(path)
      mkdirSync(path)
    }),
    code: 'BUNDLE_INVALID',
    says: ['events.jsonl'],
  },
]

describe('a bundle with', () => {
  for (const { what, damage, code, says } of DAMAGES) {
    it(`${what}: ${code}, exit 2, from replay, inspect and validate`, async () => {
      const bundle = copyOfBundle(workspace(), 'single_tool')
      const path = damage(bundle) ?? bundle
      const agent = ['--agent', fixtureAgent('single_tool')]
      const results = await Promise.all([
        runCli(['replay', path, ...agent, '--json']),
        runCli(['inspect', path, '--json']),
        runCli(['validate', path]),
      ])
      expect(results.map(result => result.code)).toEqual([2, 2, 2])
      for (const { stdout, stderr } of results) {
        for (const piece of says) expect(stdout.replaceAll('\\"', '"') + stderr).toContain(piece)
        expect(stdout + stderr).not.toMatch(/^\s+at /m)
        expect(stdout + stderr).not.toContain('root:')
      }
      expect(parseDocument(results[0]!).runs[0]?.error?.code).toBe(code)
      expect(JSON.parse(results[1]!.stdout)).toMatchObject({ error: 'unreadable_trace' })
    })
  }
})

describe('a bundle with an empty events.jsonl', () => {
  it('is no test: replay refuses it, exit 2; validate finds that it does not start', async () => {
    const bundle = copyOfBundle(workspace(), 'single_tool')
    writeFileSync(join(bundle, 'events.jsonl'), '')
    const replayed = await runCli(['replay', bundle, '--agent', fixtureAgent('single_tool')])
    expect([replayed.code, replayed.stdout]).toEqual([2, expect.stringContaining('events.jsonl')])
    const validated = await runCli(['validate', bundle])
    expect([validated.code, validated.stdout]).toEqual([1, expect.stringContaining('run_start')])
  })
})

describe('a bundle with numbers that JavaScript cannot hold', () => {
  it('is replayed when the agent passes them through, and inspected with all digits', async () => {
    const digits = '12345678901234567890'
    const folder = workspace({
      'agent.ts':
        "import { traceTool } from 'stepfork'\nconst get = traceTool('get_forecast', (_: object): unknown => 1)\nexport const run = (input: object) => get(input)\n",
    })
    const bundle = copyOfBundle(folder, 'single_tool')
    writeFileSync(
      join(bundle, 'events.jsonl'),
      readFileSync(join(bundle, 'events.jsonl'), 'utf8')
        .replace('"high_c":24', `"high_c":${digits}`)
        .replace(/"output_hash":"\w+"/g, '"output_hash":null')
        .replace(/"output":\{"city".*\}/, '"output":null}'),
    )
    const { code, stderr } = await runCli(['replay', bundle, '--agent', 'agent.ts'], { cwd: folder })
    expect([code, stderr]).toEqual([0, ''])
    expect((await runCli(['inspect', bundle])).stdout).toContain(digits)
  })
})

describe('terminal commands in a recording', () => {
  it('are shown, never obeyed', async () => {
    const folder = workspace({
      'agent.ts':
        "import { traceTool } from 'stepfork'\nconst say = traceTool('say', async (_: object) => 1)\nexport const run = () => say({ text: 'other' })\n",
    })
    const source =
      "import { traceTool } from 'stepfork'\nconst say = traceTool('say', async (_: object) => 1)\nexport const run = () => say({ text: '\\u001b[2J\\u001b]0;owned\\u0007::error::x' })\n"
    writeFileSync(join(folder, 'before.ts'), source)
    await runCli(['record', '--agent', 'before.ts', '-o', 'run.sftrace'], { cwd: folder })
    const results = await Promise.all([
      runCli(['inspect', 'run.sftrace', '--color'], { cwd: folder }),
      runCli(['replay', 'run.sftrace', '--agent', 'agent.ts'], { cwd: folder }),
      runCli(['replay', 'run.sftrace', '--agent', 'agent.ts', '--json'], { cwd: folder }),
    ])
    for (const { stdout } of results) {
      expect(stdout).not.toContain('\u001b[2J')
      expect(stdout).not.toContain('\u0007')
    }
    expect(results[1]!.stdout).toContain('owned')
  })
})

function edit(file: string, change: (path: string) => void): Damage['damage'] {
  return bundle => {
    change(join(bundle, file))
    return undefined
  }
}

function write(file: string, change: (text: string) => string): Damage['damage'] {
  return edit(file, path => {
    const text = readFileSync(path, 'utf8')
    const changed = change(text)
    expect(changed).not.toBe(text)
    writeFileSync(path, changed)
  })
}

function other(bundle: string, name: string, make: (path: string) => void): string {
  const path = join(bundle, '..', name)
  make(path)
  return path
}
