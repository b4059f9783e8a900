/** What `record` and `validate` print, and errors that end a command. */
import { describe, expect, it } from 'vitest'
import { errorObjectText, errorText } from '../../../src/report/error-text.ts'
import type { Paper } from '../../../src/report/page.ts'
import { type RecordSummary, recordSummary } from '../../../src/report/record-summary.ts'
import { validationJson, validationText } from '../../../src/report/validation.ts'
import type { Validation } from '../../../src/trace/validation.ts'

const PAPER: Paper = { color: false, width: 80, unicode: true }

describe('record', () => {
  const summary: RecordSummary = {
    path: 'traces/support-1.sftrace',
    agentName: 'support-desk',
    agent: { file: 'src/support-desk.ts', export: null },
    status: 'completed',
    failure: null,
    calls: [
      { kind: 'llm', label: 'openai/gpt-4o-mini' },
      { kind: 'tool', label: 'order_status' },
      { kind: 'llm', label: 'openai/gpt-4o-mini' },
    ],
    cutOff: null,
    unseen: [],
  }

  it('ends with the calls that were seen and the command that replays them', () => {
    expect(recordSummary(summary, PAPER)).toBe(`\
✓ traces/support-1.sftrace  recorded support-desk: 3 calls, completed

    2x  model  openai/gpt-4o-mini
    1x  tool   order_status

  Replay it:
    npx stepfork replay traces/support-1.sftrace --agent src/support-desk.ts
`)
  })

  it('ends with a command that gives the agent its arguments again', () => {
    const agent = { file: 'greet.ts', export: null, argv: ['Ada', '--loud now'] }
    expect(recordSummary({ ...summary, agent }, PAPER)).toMatch(
      / --agent greet\.ts.* -- Ada '--loud now'\n$/s,
    )
  })

  it('says what was not recorded, and how a run failed', () => {
    const failure = { type: 'RefundRefused', message: 'over the limit', step: 3 }
    const text = recordSummary(
      { ...summary, status: 'failed', failure, unseen: ['a connection to db:5432'] },
      PAPER,
    )
    expect(text).toContain('3 calls, failed\n  the run failed with RefundRefused: over the limit\n')
    expect(text).toContain('\n  not recorded: a connection to db:5432\n')
    expect(text).toContain(
      '\n  A replay expects this failure. If it should not be kept, mend it and record\n  again (--overwrite); else replay it:\n    npx stepfork replay ',
    )
  })

  it('offers to show a run that was cut off, which no replay could match', () => {
    const text = recordSummary({ ...summary, status: 'running', cutOff: 'by SIGKILL' }, PAPER)
    expect(text).toContain("\n  the recording is incomplete: the agent's process ended by SIGKILL\n")
    expect(text).toMatch(/\n {2}See what it holds:\n {4}npx stepfork inspect traces\/support-1\.sftrace\n$/)
  })

  it('tells how calls come to be seen when there was none, and offers no replay', () => {
    const text = recordSummary({ ...summary, calls: [] }, PAPER)
    expect(text).toContain('No call was seen.')
    expect(text).not.toContain('Replay it')
  })
})

describe('validate', () => {
  const valid: Validation = {
    path: 'run.sftrace',
    mode: 'strict',
    valid: true,
    events: 14,
    issues: [],
    integrity: null,
    exitCode: 0,
  }
  const wrong: Validation = {
    ...valid,
    valid: false,
    exitCode: 1,
    issues: [
      {
        code: 'step_order',
        message: 'step 3 comes after step 5',
        event_id: 'evt_7',
        step: 3,
        location: 'events.jsonl:8',
      },
      {
        code: 'integrity_mismatch',
        message: 'events.jsonl was changed',
        event_id: null,
        step: null,
        location: null,
      },
    ],
    integrity: { status: 'mismatch', files: { 'manifest.json': 'verified', 'events.jsonl': 'mismatch' } },
  }

  it('is one line for a valid bundle', () => {
    expect(validationText(valid, PAPER)).toBe('✓ run.sftrace  valid as a whole run: 14 events\n')
    const verified = { ...valid, integrity: { status: 'verified' as const, files: {} } }
    expect(validationText(verified, PAPER)).toContain('14 events, every file as it was written')
    expect(validationText({ ...valid, mode: 'partial' }, PAPER)).toContain('valid as part of a run')
  })

  it('names each issue with its place, and the files that were changed', () => {
    expect(validationText(wrong, PAPER)).toBe(`\
✗ run.sftrace  not valid as a whole run: 2 issues

  step_order  step 3 comes after step 5
    events.jsonl:8, event evt_7, step 3

  integrity_mismatch  events.jsonl was changed

  ✓ manifest.json  verified
  ✗ events.jsonl  mismatch
`)
  })

  it('tells an unreadable bundle and one without integrity record apart', () => {
    expect(validationText({ ...wrong, exitCode: 2, integrity: null }, PAPER)).toContain(
      'cannot be read: 2 issues',
    )
    expect(validationText({ ...wrong, exitCode: 3, integrity: null }, PAPER)).toContain('integrity unknown')
  })

  it('lists fifty issues of thousands', () => {
    const issues = Array.from({ length: 3000 }, () => wrong.issues[0]!)
    expect(validationText({ ...wrong, issues }, PAPER)).toContain('  and 2950 more (--json for all)\n')
  })

  it('is an object for one bundle and a list for several', () => {
    expect(JSON.parse(validationJson([wrong]))).toEqual({
      valid: false,
      issues: wrong.issues,
      path: 'run.sftrace',
      mode: 'strict',
      integrity: wrong.integrity,
    })
    expect(JSON.parse(validationJson([valid, wrong]))).toHaveLength(2)
  })
})

describe('an error', () => {
  it('is one sentence with its code, then what to do', () => {
    const error = {
      code: 'AGENT_SYNTAX',
      message: 'src/a.ts:3:7 Expected ")" but found "}"\n  3 | run(})',
      hint: 'Mend that line, then replay again.',
    }
    expect(errorText(error, PAPER)).toBe(`\
✗ src/a.ts:3:7 Expected ")" but found "}" (AGENT_SYNTAX)
    3 | run(})

  Mend that line, then replay again.
`)
    expect(errorText({ ...error, hint: null }, { ...PAPER, unicode: false })).toMatch(/^x src/)
  })

  it('is an object with a space after colon and comma for scripts', () => {
    expect(errorObjectText('missing_step', 'No events found at step 77.')).toBe(
      '{"error": "missing_step", "message": "No events found at step 77."}\n',
    )
  })
})
