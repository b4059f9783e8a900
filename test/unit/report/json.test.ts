import { describe, expect, it } from 'vitest'
import type { RunOutcome } from '../../../src/outcome/outcome.ts'
import { jsonReporter } from '../../../src/report/json.ts'
import {
  changedInput,
  changedPrompt,
  divergedRun,
  divergence,
  extraCall,
  matchedRun,
  missingCall,
  outcomeOf,
} from './refund-desk.ts'

function document(...runs: readonly RunOutcome[]): string {
  return jsonReporter().end(outcomeOf(...runs))
}

describe('--json', () => {
  it('is one document on one line, nothing before it', () => {
    const reporter = jsonReporter()
    expect(reporter.begin() + reporter.run(changedInput)).toBe('')
    expect(document(matchedRun(), changedInput)).toMatch(/^\{.*\}\n$/)
  })

  it('has the members of shape 1 in their order', () => {
    const parsed = JSON.parse(document(changedInput))
    expect(Object.keys(parsed)).toEqual(['stepfork', 'shape', 'verdict', 'exitCode', 'runs'])
    const [run] = parsed.runs
    expect(Object.keys(run)).toEqual(
      'bundle agent mode order verdict exitCode durationMs totals calls divergences output failure liveCalls notes served rules error'.split(
        ' ',
      ),
    )
    expect(Object.keys(run.bundle)).toEqual(['path', 'agentName', 'runId', 'status'])
    expect(Object.keys(run.totals)).toEqual(
      'recorded matched changed reordered missing extra refused executed'.split(' '),
    )
    expect(Object.keys(run.calls[0])).toEqual(
      'number live kind label step verdict answer servedFrom source'.split(' '),
    )
    expect(Object.keys(run.divergences[0])).toEqual(
      'kind call live label root causedBy occurrences message hint recorded actual source differences'.split(
        ' ',
      ),
    )
    expect(Object.keys(run.divergences[0].differences[0])).toEqual(['path', 'change', 'recorded', 'actual'])
    expect(Object.keys(run.output)).toEqual(['compared', 'equal', 'answersAreRecorded', 'differences'])
  })

  it('carries message and hint in words, and the source with its frame', () => {
    const [found] = JSON.parse(document(changedInput)).runs[0].divergences
    expect(found.message).toBe('call 5 of 6, issue_refund: /amount is 43.5, recorded 42.5')
    expect(found.hint).toMatch(/ npx stepfork record --again refund\.sftrace --agent src\/support-desk\.ts$/)
    expect(found.source).toMatchObject({
      file: 'src/support-desk.ts',
      line: 14,
      column: 5,
      function: 'issue_refund',
    })
    expect(found.source.frame).toHaveLength(4)
  })

  it('tells an absent side from one that is null', () => {
    const [, output] = JSON.parse(document(missingCall)).runs[0].divergences
    expect(output.differences).toEqual([{ path: '/ticket', change: 'removed', recorded: 'T-881' }])
  })

  it('gives a call of which the recording knows nothing no number', () => {
    const extra = JSON.parse(document(extraCall)).runs[0].calls.find(
      (call: { verdict: string }) => call.verdict === 'extra',
    )
    expect(extra).toMatchObject({ number: null, live: 5, label: 'notify_owner', answer: 'refused' })
  })

  it('names causes and what follows from them', () => {
    const found = JSON.parse(document(changedPrompt)).runs[0].divergences
    expect(found.map((one: { root: boolean; causedBy: number | null }) => [one.root, one.causedBy])).toEqual([
      [true, null],
      [false, 0],
      [false, 0],
    ])
  })

  it('words its notes', () => {
    const run = matchedRun({ notes: [{ code: 'message-differs', detail: 'too late' }] })
    expect(JSON.parse(document(run)).runs[0].notes).toEqual([
      { code: 'message-differs', message: 'the error has its recorded name, but another message: too late' },
    ])
  })

  it('carries the error of a run that could not be replayed', () => {
    const error = { code: 'BUNDLE_NOT_FOUND', message: 'no.sftrace does not exist', hint: null }
    const run = matchedRun({ verdict: 'error', exitCode: 2, error, agent: null, calls: [] })
    expect(JSON.parse(document(run)).runs[0]).toMatchObject({ agent: null, error })
  })

  it('writes big integers with all their digits', () => {
    const differences = [
      { path: '/id', change: 'changed', recorded: 9007199254740993n, actual: 9007199254740995n } as const,
    ]
    expect(document(divergedRun([divergence('changed-input', { call: 5, live: 5, differences })]))).toContain(
      '"recorded":9007199254740993,"actual":9007199254740995}',
    )
  })

  it('is printed whatever is in it', () => {
    let deep: readonly unknown[] = []
    for (let i = 0; i < 999; i++) deep = [deep]
    const run = divergedRun([
      divergence('missing', { call: 5, recorded: deep as never, label: '\u202e\u001b[2J##[x]' }),
    ])
    const text = document(run)
    expect(text).toMatch(/^[ -~]+\n$/)
    expect(JSON.parse(text).runs[0].divergences[0].label).toBe('\u202e\u001b[2J##[x]')
    expect(JSON.parse(text).runs[0].divergences[0].recorded).toMatch(/nested deeper than/)
  })
})
