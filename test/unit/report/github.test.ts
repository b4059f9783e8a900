import { describe, expect, it } from 'vitest'
import { githubReporter } from '../../../src/report/github.ts'
import { changedInput, matchedRun, missingCall } from './refund-desk.ts'

const run = githubReporter().run

describe('annotations of GitHub Actions', () => {
  it('are one for each red run, on the line of the agent', () => {
    expect(run(matchedRun())).toBe('')
    expect(run(changedInput)).toBe(
      '::error file=src/support-desk.ts,line=14,col=5,title=stepfork%3A refund.sftrace::call 5 of 6, issue_refund: /amount is 43.5, recorded 42.5%0AIf the new input is right, record again (tools run for real): npx stepfork record --again refund.sftrace --agent src/support-desk.ts\n',
    )
  })

  it('name the agent file where no line is known, and nothing where there is no file', () => {
    expect(run(missingCall)).toMatch(/^::error file=src\/support-desk\.ts,title=/)
    expect(run({ ...missingCall, agent: { command: ['node', 'a.js'] } })).toMatch(/^::error title=/)
  })

  it('name files from the root of the repository, where the step ran in a folder of it', () => {
    const inFolder = githubReporter('packages/desk').run
    expect(inFolder(changedInput)).toMatch(/^::error file=packages\/desk\/src\/support-desk\.ts,line=14,/)
    expect(inFolder(missingCall)).toMatch(/^::error file=packages\/desk\/src\/support-desk\.ts,title=/)
  })

  it('say why a bundle could not be replayed', () => {
    const error = { code: 'BUNDLE_NOT_FOUND', message: 'no.sftrace does not exist', hint: 'Record it first.' }
    expect(run(matchedRun({ verdict: 'error', exitCode: 2, error }))).toMatch(
      /::not replayed: no\.sftrace does not exist \([A-Z_]+\)%0ARecord it first\.\n$/,
    )
  })

  it('cannot be made to hold a second command', () => {
    const label = 'a%0Ab\r\n::stop-commands::x\n##[add-path]/tmp,line=1:'
    const hostile = {
      ...changedInput,
      bundle: { ...changedInput.bundle, path: `${label}.sftrace` },
      divergences: changedInput.divergences.map(found => ({ ...found, label })),
    }
    const text = run(hostile)
    expect(text.match(/\n/g)).toHaveLength(1)
    expect(text).not.toMatch(/##\w*\[/)
    expect(text).toContain('a%250Ab\\r\\n')
    expect(text.slice('::error '.length).split('::')[0]).toMatch(/^file=[^:]*,line=14,col=5,title=[^:,]*$/)
  })
})
