/** Whatever stands in a recording, a report is printable text and stays inside its columns. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Divergence, Kind, RunOutcome } from '../../../src/outcome/outcome.ts'
import { displayWidth } from '../../../src/report/display-width.ts'
import { errorText } from '../../../src/report/error-text.ts'
import { githubReporter } from '../../../src/report/github.ts'
import { inspectText } from '../../../src/report/inspect.ts'
import { inspectJson } from '../../../src/report/inspect-json.ts'
import { jsonReporter } from '../../../src/report/json.ts'
import type { Paper } from '../../../src/report/page.ts'
import { prettyReporter } from '../../../src/report/pretty.ts'
import { recordSummary } from '../../../src/report/record-summary.ts'
import { validationJson, validationText } from '../../../src/report/validation.ts'
import { WORDS } from '../../../src/report/words.ts'
import type { Issue } from '../../../src/trace/issue.ts'
import type { Validation } from '../../../src/trace/validation.ts'
import { REFUND_LINES, recordedDesk } from './recorded-desk.ts'
import { matchedRun, outcomeOf, REFUND_CALLS, runWith } from './refund-desk.ts'

const BAD = [
  '\u001b[2J',
  '\u009b31m',
  '\r\n',
  '\t',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\u{e0041}',
  '\ud800',
]
const COMMANDS = [
  '::error::',
  '\n::stop-commands::x',
  '##[group]',
  '##vso[task.complete]',
  '%0A',
  '$(id)',
  "'",
  '`',
]
const WIDE = [
  '日本語',
  '👨‍👩‍👧',
  'שלום',
  'e\u0301\u0301',
  '\u1100\u1100\u1161',
  'ﾊﾟ',
  '…',
  'word word',
  'x'.repeat(90),
]

const hostile = fc
  .array(
    fc.oneof(fc.constantFrom(...BAD, ...COMMANDS, ...WIDE), fc.string({ unit: 'binary', maxLength: 12 })),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map(parts => parts.join(''))

const paper: fc.Arbitrary<Paper> = fc.record({
  color: fc.boolean(),
  width: fc.constantFrom(40, 80, 160, Number.POSITIVE_INFINITY),
  unicode: fc.boolean(),
})

const kind = fc.constantFrom(...(Object.keys(WORDS) as Kind[]))

/** Our own colours: bold, dim, red, green and their ends. */
const COLOURS = /\u001b\[(?:1|2|22|31|32|39)m/g

/** A command is there to be pasted: it is broken between its words, but no word of it is cut, however wide. */
function expectPrintable(text: string, { color, width, unicode }: Paper): void {
  const plain = color ? text.replace(COLOURS, '') : text
  expect(plain.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Cn}]/u)
  expect(plain).not.toMatch(/##\w*\[/)
  if (!unicode) expect(plain).toMatch(/^[ -~\n]*$/)
  let isCommand = false
  for (const line of plain.split('\n')) {
    expect(line).not.toMatch(/^\s*::/)
    isCommand = line.startsWith('    npx stepfork ') || (isCommand && line.startsWith('      '))
    if (!isCommand) expect(displayWidth(line)).toBeLessThanOrEqual(width)
    isCommand &&= line.endsWith(' \\')
  }
}

function hostileRun(kindOfFinding: Kind, text: (index: number) => string): RunOutcome {
  const change: Partial<Divergence> = {
    label: text(0),
    occurrences: 3,
    recorded: { [text(1)]: text(2) },
    actual: [text(3)],
    source: {
      ...{ file: text(4), line: 3, column: 1, function: text(5) },
      calledFrom: { file: text(6), line: 9, column: 1, function: text(7) },
      frame: [`> 3 | ${text(8)}`],
    },
    differences: [
      { path: `/${text(9)}`, change: 'changed', recorded: text(1), actual: text(2) },
      { path: text(3), change: 'changed', recorded: `${text(4)}${text(5)}`, actual: `${text(4)}${text(6)}` },
      { path: '/x', change: 'removed', recorded: { [text(7)]: [text(8)] } },
    ],
    facts: {
      recordedLabels: [text(1), text(2)],
      recordedSite: text(3),
      policy: text(4),
      errorName: text(5),
      errorMessage: text(6),
      recordedErrorName: text(7),
      recordedErrorMessage: text(8),
      stack: [text(9)],
      lastCall: text(0),
      openCalls: [text(1)],
      signal: text(2),
      what: text(3),
      ambiguous: true,
      swallowed: true,
    },
  }
  const run = runWith(kindOfFinding, change)
  return {
    ...run,
    bundle: { ...run.bundle, path: text(5) },
    agent: { file: text(6), export: text(7) },
    mode: text(8),
    calls: run.calls.map(call => ({ ...call, label: text(9), summary: text(0) })),
    notes: [{ code: 'message-differs', detail: text(1) }],
    rules: [text(2)],
    failure: { type: text(3), message: text(4) },
  }
}

const texts = fc
  .array(hostile, { minLength: 1, maxLength: 10 })
  .map(all => (index: number) => all[index % all.length]!)

describe('a hostile recording', () => {
  it('cannot break the report of a replay', () => {
    fc.assert(
      fc.property(kind, texts, paper, fc.boolean(), (found, text, page, verbose) => {
        const reporter = prettyReporter({ ...page, verbose, quiet: false, single: true })
        const run = hostileRun(found, text)
        expectPrintable(reporter.run(run), page)
        expectPrintable(reporter.run({ ...run, verdict: 'matched', exitCode: 0 }), page)
        expectPrintable(reporter.run({ ...run, verdict: 'reproduced', exitCode: 0 }), page)
        const error = { code: 'INTERNAL', message: text(0), hint: text(1) }
        expectPrintable(reporter.run({ ...run, verdict: 'error', exitCode: 2, error }), page)
      }),
      { numRuns: 120 },
    )
  })

  it('cannot break JSON or an annotation', () => {
    const plain: Paper = { color: false, width: Number.POSITIVE_INFINITY, unicode: true }
    fc.assert(
      fc.property(kind, texts, (found, text) => {
        const run = hostileRun(found, text)
        const json = jsonReporter().end(outcomeOf(run))
        expectPrintable(json, plain)
        expect(JSON.parse(json).runs[0].bundle.path).toBe(run.bundle.path)
        const annotation = githubReporter().run(run)
        expect(annotation).toMatch(/^::error [^\n]*\n$/)
        expectPrintable(annotation.replace('::error ', ''), plain)
      }),
      { numRuns: 120 },
    )
  })

  it('cannot break inspect', () => {
    fc.assert(
      fc.property(texts, paper, (text, page) => {
        const lines = REFUND_LINES.map((line, index) => ({
          ...line,
          ...(line.name === undefined ? {} : { name: text(index) }),
          ...(line.input === undefined ? {} : { input: { [text(index)]: text(index + 1) } }),
          ...(line.output === undefined ? {} : { output: { text: text(index), message: text(index + 1) } }),
        }))
        const { bundle, readEvent } = recordedDesk(lines, { path: text(0) })
        for (const step of [null, 3, 7]) {
          const options = { ...page, step, errorsOnly: false, events: step === null }
          expectPrintable(inspectText(bundle, readEvent, options)!, page)
          expectPrintable(inspectText(bundle, readEvent, { ...options, events: false })!, page)
        }
        const json = inspectJson(bundle, readEvent, { step: null, errorsOnly: false })!
        expectPrintable(json, { ...page, width: Number.POSITIVE_INFINITY, color: false, unicode: true })
      }),
      { numRuns: 80 },
    )
  })

  it('cannot break record, validate or an error', () => {
    fc.assert(
      fc.property(texts, paper, (text, page) => {
        expectPrintable(errorText({ code: 'USAGE', message: text(0), hint: text(1) }, page), page)
        const calls = REFUND_CALLS.map((call, index) => ({ ...call, label: text(index) }))
        const failure = { type: text(1), message: text(2), step: null }
        const summary = {
          path: text(3),
          agentName: text(4),
          agent: { file: text(5), export: null },
          calls,
          failure,
          cutOff: null,
        }
        expectPrintable(recordSummary({ ...summary, status: 'failed', unseen: [text(6)] }, page), page)
        const issue: Issue = {
          code: 'step_order',
          message: text(0),
          event_id: text(1),
          step: 3,
          location: text(2),
        }
        const validation: Validation = {
          ...{ path: text(3), mode: 'strict', valid: false, events: 1, issues: [issue], exitCode: 1 },
          integrity: { status: 'mismatch', files: { [text(4)]: 'mismatch' } },
        }
        expectPrintable(validationText(validation, page), page)
        expectPrintable(validationJson([validation]), {
          color: false,
          width: Number.POSITIVE_INFINITY,
          unicode: true,
        })
      }),
      { numRuns: 80 },
    )
  })

  it('cannot make a report slow or long by its size', () => {
    const huge = `${'word '.repeat(300_000)}`
    const pile = `a${'\u0301'.repeat(150_000)}`
    for (const big of [huge, pile]) {
      const start = performance.now()
      const page = { color: false, width: 80, unicode: true, verbose: false, quiet: false, single: true }
      const { bundle, agent } = matchedRun()
      const run = {
        ...hostileRun('changed-input', index => (index % 2 === 0 ? big : `${big}x`)),
        bundle,
        agent,
      }
      expect(prettyReporter(page).run(run).length).toBeLessThan(200_000)
      expect(performance.now() - start).toBeLessThan(5_000)
    }
  })
})
