/**
 * The pages of docs/ and the examples are run as written, a section at a time, each in a fresh copy of the examples. With
 * STEPFORK_UPDATE_PAGES=1 the outputs on the pages are written anew; read the diff before you keep it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPageWorld, REPOSITORY } from './page-world.ts'
import { type Section, sectionsOf, withoutDurations } from './written-page.ts'

const PAGES = [...markdownIn('docs'), ...markdownIn('examples')]
const RUNNABLE = PAGES.map(page => [page, sectionsOf(readFileSync(join(REPOSITORY, page), 'utf8'))] as const)

describe.each(RUNNABLE.filter(([, sections]) => sections.length > 0))('%s', (page, sections) => {
  it.each(sections.map(section => [section.heading, section] as const))('%s', (_, section) => {
    play(page, section)
  })
})

function play(page: string, section: Section): void {
  const world = createPageWorld()
  try {
    for (const step of section.steps) {
      if (step.kind === 'edit') world.edit(step)
      if (step.kind === 'write') world.write(step)
      if (step.kind === 'run') compare(page, world.run(withoutNpx(step.script)), step.prints)
    }
  } finally {
    world.dispose()
  }
}

function compare(
  page: string,
  { exitCode, text }: { exitCode: number | null; text: string },
  prints: string | null,
): void {
  if (prints === null) {
    expect({ exitCode, text }).toMatchObject({ exitCode: 0 })
    return
  }
  if (process.env.STEPFORK_UPDATE_PAGES === '1') update(page, prints, text)
  else expect(withoutDurations(text)).toBe(withoutDurations(prints))
  // A page that shows another exit code than that of a red report prints it: `… || echo "exit $?"`.
  expect({ exitCode, text }).toMatchObject({
    exitCode: text.startsWith('✗') && !/^exit \d+$/m.test(text) ? 1 : 0,
  })
}

function update(page: string, prints: string, text: string): void {
  if (withoutDurations(text) === withoutDurations(prints)) return
  const path = join(REPOSITORY, page)
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(fenced(prints), () => fenced(`${text.trimEnd()}\n`)),
  )
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\`\`\``
}

/** What npx finds here is this command; starting it anew for every line only costs time. */
function withoutNpx(script: string): string {
  return script.replaceAll('npx stepfork', 'node bin/stepfork.js')
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name))
    .sort()
}
