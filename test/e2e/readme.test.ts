/** What the README promises a newcomer: each command works as written, and prints what the page shows. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPageWorld, type PageWorld, REPOSITORY } from './page-world.ts'
import { NOTHING_SET, startServer } from './sdk-world.ts'
import { sectionsOf, withoutDurations } from './written-page.ts'

const README = readFileSync(join(REPOSITORY, 'README.md'), 'utf8')
const sections = sectionsOf(README)

describe('the first minutes', () => {
  let world: PageWorld
  beforeAll(() => {
    world = createPageWorld()
  })
  afterAll(() => world.dispose())

  it('replays the refund desk, matched, with the command that sets everything up', () => {
    const first = stepsUnder('Try it').find(step => step.kind === 'run')!
    const { exitCode, text } = world.run(installed(first.script))
    expect(withoutDurations(text)).toBe(withoutDurations(first.prints!))
    expect(exitCode).toBe(0)
  })

  it('gives the report at the top of the page after the one edit that it asks for', () => {
    for (const step of stepsUnder('Try it')) if (step.kind === 'edit') world.edit(step)
    const first = stepsUnder('Try it').find(step => step.kind === 'run')!
    const { exitCode, text } = world.run(installed(first.script))
    const [, report = ''] = /```text\n([\s\S]*?)```/.exec(README) ?? []
    expect(withoutDurations(text)).toBe(withoutDurations(report))
    expect(exitCode).toBe(1)
  })

  it('records the agent that the page shows with a key, and replays it without', async () => {
    const models = await startServer('world.mjs')
    const key = { ...NOTHING_SET, OPENAI_API_KEY: 'sk-none', OPENAI_BASE_URL: `${models.urls.models}/v1` }
    for (const step of stepsUnder('Your agent')) {
      if (step.kind === 'write') world.write(step)
      if (step.kind !== 'run') continue
      const isRecording = step.script.includes(' record ')
      const text = expect.stringMatching(
        isRecording ? '1 call, completed' : 'matched: 1 of 1 call, output equal',
      )
      expect(world.run(step.script, isRecording ? key : NOTHING_SET)).toMatchObject({ exitCode: 0, text })
      if (isRecording) await models.stop()
    }
  })

  it('names no command that this test does not run', () => {
    const scripts = sections.flatMap(({ steps }) =>
      steps.flatMap(step => (step.kind === 'run' ? [step.script] : [])),
    )
    // `npm test` is what runs this file; run from inside itself it would never end.
    const known = scripts.filter(
      script => script.includes('npx stepfork') || script === 'npm ci && npm test\n',
    )
    expect(known).toEqual(scripts)
    expect(sections.map(({ heading }) => heading)).toEqual(['Try it', 'Your agent'])
  })
})

function stepsUnder(heading: string) {
  return sections.find(section => section.heading === heading)!.steps
}

/** The packages are there already. */
function installed(script: string): string {
  return script.replace(/^npm ci && /, '')
}
