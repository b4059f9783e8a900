/** The law of the house as data: who may import whom, and what each floor must not touch. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '../src')

/** Open to every room. */
const GROUND = ['errors', 'json', 'version']

const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  patch: [],
  'own-ports': ['patch'],
  version: [],
  json: [],
  trace: [],
  dialect: ['trace'],
  plan: ['match', 'trace'],
  match: [],
  session: ['plan', 'match', 'trace'],
  turns: ['session', 'plan', 'match', 'trace'],
  cassette: ['session', 'plan', 'match', 'trace'],
  capture: ['session', 'plan', 'trace'],
  diff: [],
  outcome: ['capture', 'session', 'plan', 'match', 'trace'],
  report: ['diff', 'outcome', 'plan', 'trace'],
  store: ['turns', 'trace'],
  load: ['trace'],
  boundary: ['dialect', 'session', 'plan', 'trace', 'own-ports', 'patch'],
  sandbox: ['trace', 'own-ports', 'patch'],
  config: ['load', 'match', 'trace'],
  run: [
    'boundary',
    'sandbox',
    'outcome',
    'capture',
    'store',
    'dialect',
    'session',
    'plan',
    'match',
    'trace',
    'patch',
  ],
  agent: ['run', 'load', 'config', 'store', 'boundary', 'sandbox', 'cassette', 'plan', 'trace', 'patch'],
  verbs: [
    'agent',
    'run',
    'load',
    'config',
    'store',
    'report',
    'diff',
    'outcome',
    'capture',
    'cassette',
    'session',
    'plan',
    'match',
    'trace',
    'patch',
  ],
  cli: ['verbs', 'report', 'config', 'outcome', 'trace'],
  doors: [
    'verbs',
    'cassette',
    'run',
    'boundary',
    'outcome',
    'store',
    'turns',
    'session',
    'plan',
    'trace',
    'config',
    'match',
  ],
}

const PURE = [
  'json',
  'trace',
  'dialect',
  'plan',
  'match',
  'session',
  'turns',
  'cassette',
  'capture',
  'diff',
  'outcome',
  'report',
]
const MAY_TOUCH_PROCESS = [
  'store',
  'load',
  'config',
  'sandbox',
  'run',
  'agent',
  'cli',
  'boundary',
  'own-ports',
  'patch',
  'verbs',
]
const DOORS = ['index.ts', 'testing.ts']

interface Module {
  readonly path: string
  readonly room: string
  readonly code: string
  readonly imports: readonly string[]
}

const modules = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(readModule)

describe('the law of the house', () => {
  it('lets a room import only what the plan allows', () => {
    const broken = modules.flatMap(module =>
      module.imports
        .map(target => [module, target, roomOf(target)] as const)
        .filter(
          ([from, , to]) => from.room !== to && !GROUND.includes(to) && !allowed(from.room).includes(to),
        )
        .map(([from, target, to]) => `${from.path} (${from.room}) must not import ${target} (${to})`),
    )
    expect(broken).toEqual([])
  })

  it('has no import cycle, type imports included', () => {
    expect(findCycle()).toBeNull()
  })

  it('has no barrel but the two doors', () => {
    const barrels = modules.filter(
      m => /^export (\*|\{[^}]*\} from)/m.test(m.code) && !DOORS.includes(m.path),
    )
    expect(barrels.map(m => `${m.path} re-exports; import from the file itself`)).toEqual([])
  })

  it('speaks to the console only in cli/', () => {
    expect(pathsWith(/\bconsole\./, m => m.room !== 'cli')).toEqual([])
  })

  it('touches files, processes and the environment only in the outer rooms', () => {
    const outer = /from 'node:(fs|fs\/promises|child_process)'|\bprocess\.|globalThis\.process/
    expect(pathsWith(outer, m => !MAY_TOUCH_PROCESS.includes(m.room))).toEqual([])
  })

  it('reads no clock and draws no random number from the ground to floor 5', () => {
    expect(
      pathsWith(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b/, m =>
        PURE.includes(m.room),
      ),
    ).toEqual([])
  })

  it('keeps zod out of everything that runs in the agent process', () => {
    const reached = reach(['index.ts', 'agent/child.ts', 'agent/preload.ts', 'agent/cassette-child.ts'])
    const loaded = modules.filter(
      m => reached.has(m.path) && /^import (?!type)[^\n]*from '(zod[^']*|commander|chalk|ora)'/m.test(m.code),
    )
    expect(loaded.map(m => m.path)).toEqual([])
  })
})

function readModule(path: string): Module {
  const code = readFileSync(join(SRC, path), 'utf8')
  const specifiers = [...code.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(match => match[1]!)
  const imports = specifiers.map(specifier => relative(SRC, resolve(SRC, dirname(path), specifier)))
  return { path, room: roomOf(path), code: withoutComments(code), imports }
}

function roomOf(path: string): string {
  if (DOORS.includes(path)) return 'doors'
  if (['errors.ts', 'own-ports.ts', 'patch.ts', 'version.ts'].includes(path)) return path.slice(0, -3)
  return path.includes('/') ? path.split('/')[0]! : 'verbs'
}

function allowed(room: string): readonly string[] {
  const rooms = MAY_IMPORT[room]
  if (rooms === undefined)
    throw new Error(`src/${room}/ is not in the plan: give it a row in CONTRIBUTING.md and in this test`)
  return rooms
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function pathsWith(pattern: RegExp, among: (module: Module) => boolean): string[] {
  return modules.filter(m => among(m) && pattern.test(m.code)).map(m => m.path)
}

/** Modules that are loaded when the given ones are; type imports and dynamic imports are left out. */
function reach(entries: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    const module = modules.find(m => m.path === path)
    if (module === undefined || seen.has(path)) return
    seen.add(path)
    for (const match of module.code.matchAll(/^(?:import|export) (?!type)[^;]*?from '(\.[^']+)'/gm)) {
      visit(relative(SRC, resolve(SRC, dirname(path), match[1]!)))
    }
  }
  entries.forEach(visit)
  return seen
}

function findCycle(): string | null {
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): string | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' -> ')
    if (done.has(path)) return null
    for (const target of modules.find(m => m.path === path)?.imports ?? []) {
      const cycle = walk(target, [...trail, path])
      if (cycle !== null) return cycle
    }
    done.add(path)
    return null
  }
  for (const module of modules) {
    const cycle = walk(module.path, [])
    if (cycle !== null) return cycle
  }
  return null
}
