/** Pages that say what the code has: each name that is added or taken away must be said, with a sentence that names it. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonReporter } from '../../src/report/json.ts'
import { WORDS } from '../../src/report/words.ts'
import { changedInput, outcomeOf } from '../unit/report/refund-desk.ts'

const ROOT = resolve(import.meta.dirname, '../..')

describe('the pages', () => {
  it('have a section for every kind of divergence, and for no other', () => {
    const sections = [...read('docs/divergences.md').matchAll(/^### ([a-z-]+)$/gm)].map(([, kind]) => kind!)
    expect(sections.toSorted()).toEqual(Object.keys(WORDS).toSorted())
  })

  it('have a line for every error code, and for no other', () => {
    const documented = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code!)
    // The guard's error is thrown by Node's own classes and so is not among the types.
    const codes = [...codesOf('ErrorCode'), ...codesOf('ReplayCode'), 'ERR_STEPFORK_BLOCKED']
    expect(documented.toSorted()).toEqual(codes.toSorted())
  })

  it('name every option of every command', () => {
    const options = [...read('src/cli/program.ts').matchAll(/'(?:-\w, )?(--(?!no-color|color)[a-z-]+)/g)].map(
      ([, option]) => option!,
    )
    expect(options).toContain('--agent')
    const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map(name => `docs/${name}`)]
      .map(read)
      .join('\n')
    const isNamed = (option: string): boolean => new RegExp(`${option}(?![a-z-])`).test(pages)
    // What --version does needs no page.
    const unsaid = new Set(options.filter(option => option !== '--version' && !isNamed(option)))
    expect([...unsaid]).toEqual([])
  })

  it('name every file and member of a recording', () => {
    const page = read('docs/format.md')
    const bundle = join(ROOT, 'examples/parcel-quote/quote.sftrace')
    const names = readdirSync(bundle).flatMap(file => [file, ...membersIn(join(bundle, file))])
    const unsaid = [...new Set(names)].filter(name => !page.includes(`\`${name}\``))
    expect(unsaid).toEqual([])
  })

  it('name every member of the JSON report', () => {
    const page = read('docs/json.md')
    const report = JSON.parse(jsonReporter().end(outcomeOf(changedInput)))
    const unsaid = [...new Set(membersOf(report, ['recorded', 'actual']))].filter(
      name => !page.includes(`\`${name}\``),
    )
    expect(unsaid).toEqual([])
  })

  it('show the rooms and what each may import as the architecture test has them', () => {
    const rows = [...read('CONTRIBUTING.md').matchAll(/^\| `([\w-]+)` \| [^|]* \|([^|]*)\|$/gm)]
    const shown = rows.map(([, room, list]) => [room, namesIn(list!)] as const)
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(lawOfRooms()))
  })

  it('give a reason for every dependency, and for none that is gone', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    const [, section = ''] = /^## Dependencies$([\s\S]*?)^## /m.exec(read('CONTRIBUTING.md')) ?? []
    const named = [...section.matchAll(/^- ((?:`[^`]+`(?:, | and )?)+)/gm)].flatMap(([, list]) =>
      namesIn(list!),
    )
    expect(named.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
  })

  it('link only to pages, folders and headings that are there', () => {
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...readdirSync(join(ROOT, 'docs')).map(name => `docs/${name}`),
    ]
    expect(pages.flatMap(deadLinks)).toEqual([])
  })
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function codesOf(type: string): readonly string[] {
  const union = new RegExp(`export type ${type} =((?:\\s*\\| '\\w+')+)`).exec(read('src/errors.ts'))![1]!
  return [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!)
}

function membersIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const values = file.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text]
  return values.flatMap(value => membersOf(JSON.parse(value), ['input', 'output', 'details', 'files']))
}

/** `free` are members whose content is the user's own. */
function membersOf(value: unknown, free: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(item => membersOf(item, free))
  return Object.entries(value).flatMap(([name, member]) => [
    name,
    ...(free.includes(name) ? [] : membersOf(member, free)),
  ])
}

function lawOfRooms(): readonly (readonly [room: string, mayImport: readonly string[]])[] {
  const [, law = ''] = /const MAY_IMPORT[^{]*\{([\s\S]*?)^\}/m.exec(read('test/architecture.test.ts')) ?? []
  return [...law.matchAll(/([\w-]+)'?: \[([^\]]*)\]/g)].map(([, room, list]) => [
    room!,
    [...list!.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!),
  ])
}

function namesIn(list: string): readonly string[] {
  return [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
}

function deadLinks(page: string): readonly string[] {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return links
    .filter(target => !/^https?:/.test(target) && !isThere(page, target))
    .map(target => `${page}: ${target}`)
}

function isThere(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  try {
    return heading === undefined ? readdirOrFile(file) : headingsOf(read(file)).includes(heading)
  } catch {
    return false
  }
}

function readdirOrFile(path: string): boolean {
  return path.endsWith('.md') ? read(path) !== '' : readdirSync(join(ROOT, path)).length > 0
}

/** As GitHub makes anchors of headings. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
