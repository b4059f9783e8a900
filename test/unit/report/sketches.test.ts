/** The reports as a person sees them, letter for letter. */
import { describe, expect, it } from 'vitest'
import type { RunOutcome } from '../../../src/outcome/outcome.ts'
import { prettyReporter } from '../../../src/report/pretty.ts'
import type { RunOptions } from '../../../src/report/run-lines.ts'
import {
  changedInput,
  changedPrompt,
  divergedRun,
  divergence,
  extraCall,
  matchedRun,
  missingCall,
  outcomeOf,
  REFUND_CALLS,
  runWith,
} from './refund-desk.ts'

const TERMINAL: RunOptions = {
  color: false,
  width: 80,
  unicode: true,
  verbose: false,
  quiet: false,
  single: true,
}
const PIPED: RunOptions = { ...TERMINAL, width: Number.POSITIVE_INFINITY, single: false }

function report(run: RunOutcome, options: Partial<RunOptions> = {}): string {
  return prettyReporter({ ...TERMINAL, ...options }).run(run)
}

describe('a matched run', () => {
  it('lists its calls when it is the only one on a terminal', () => {
    expect(report(matchedRun())).toBe(`\
✓ refund.sftrace  matched: 6 of 6 calls, output equal

    1  model  gpt-4o-mini, 2 messages, 3 tools
    2  tool   order_status {"order_id": "A-17"}
    3  tool   customer_history {"customer_id": "c-9"}     at the same time as 2
    4  model  gpt-4o-mini, 5 messages, 3 tools
    5  tool   issue_refund {"order_id": "A-17", "amount": 42.5}    fails as then
    6  model  gpt-4o-mini, 7 messages, 3 tools

  live calls 0 · served as recorded: 1 date, 1 random id · no rules · 0.2 s
`)
  })

  it('is one line when piped, and says nothing when quiet', () => {
    expect(report(matchedRun(), PIPED)).toBe('✓ refund.sftrace  matched: 6 of 6 calls, output equal\n')
    expect(report(matchedRun(), { quiet: true })).toBe('')
  })

  it('says also when piped that an option did nothing, and keeps other notes for a terminal', () => {
    const notes = [
      { code: 'live-unused', detail: 'wether' },
      { code: 'message-differs', detail: '5 charge' },
    ] as const
    expect(report(matchedRun({ notes: [...notes] }), PIPED)).toBe(`\
✓ refund.sftrace  matched: 6 of 6 calls, output equal
  note  asked to run for real, but neither recorded nor called: wether

`)
  })

  it('reads the same in a terminal without UTF-8', () => {
    expect(report(matchedRun(), { unicode: false })).toContain('ok refund.sftrace  matched: 6 of 6 calls')
    expect(report(matchedRun(), { unicode: false })).toMatch(/^[ -~\n]*$/)
  })

  it('says when nobody watched the network, and when the output was not compared', () => {
    const run = matchedRun({
      isolation: 'in-process',
      liveCalls: null,
      output: { compared: false, equal: null, answersAreRecorded: true, differences: [] },
      notes: [{ code: 'output-not-recorded', detail: '' }],
    })
    expect(report(run)).toContain('output not compared\n')
    expect(report(run)).toContain('live calls not watched · ')
    expect(report(run).replace(/\s+/g, ' ')).toContain('note output not compared: the recording holds none')
  })

  it('lists its calls and counts the waits when verbose, also among many', () => {
    const text = report(matchedRun(), { ...PIPED, verbose: true })
    expect(text).toContain(
      '    5  tool   issue_refund {"order_id": "A-17", "amount": 42.5}    fails as then\n',
    )
    expect(text).toContain('answers held 3 · released when idle 0 · parked 0\n')
  })

  it('cuts a long list of calls unless verbose', () => {
    const calls = Array.from({ length: 200 }, (_, i) => ({ ...REFUND_CALLS[1]!, number: i + 1, live: i + 1 }))
    expect(report(matchedRun({ calls }))).toContain('    and 140 more (--verbose for all)\n')
    expect(report(matchedRun({ calls }), { verbose: true })).toContain('  200  tool   order_status')
  })
})

describe('a recorded failure that happens again', () => {
  const pinned = matchedRun({
    verdict: 'reproduced',
    failure: { type: 'RefundRefused', message: 'over the limit' },
  })

  it('is green, and line one says that the recording pins a failure', () => {
    expect(report(pinned, PIPED)).toBe(
      '✓ refund.sftrace  failed as recorded: RefundRefused: over the limit; 6 of 6 calls matched (this recording pins a failure)\n',
    )
  })

  it('explains on a terminal what green means', () => {
    expect(report(pinned)).toContain('green means that the agent still fails in the')
  })
})

describe('a changed tool input', () => {
  it('shows both values, the line of the agent, and what to do', () => {
    expect(report(changedInput)).toBe(`\
✗ refund.sftrace  call 5 of 6, issue_refund: /amount is 43.5, recorded 42.5

  ✓ 1-4  matched
  ✗ 5    issue_refund was called with another input

         /amount
       - recorded  42.5
       + live      43.5

         src/support-desk.ts:14:5, called by runTool (line 42)
           13 |   issue_refund: async ({ order_id, amount }) =>
         > 14 |     shop('POST', '/refunds', { order_id, amount: amount + 1 }),
              |     ^
           15 | }

  ✓ 6    matched, after the recorded answer to 5

  1 cause · 5 matched, 1 changed · output equal · live calls 0 · 0.2 s

  If the new input is right, record again (tools run for real):
    npx stepfork record --again refund.sftrace --agent src/support-desk.ts
`)
  })

  it('has the same lines with room to spare, the command on one of them', () => {
    const wide = report(changedInput, { width: 160 })
    expect(wide).toContain('\n    npx stepfork record --again refund.sftrace --agent src/support-desk.ts\n')
    expect(wide.replace(/ \\\n +/g, ' ')).toBe(report(changedInput).replace(/ \\\n +/g, ' '))
  })

  it('reads the same in ASCII', () => {
    expect(report(changedInput, { unicode: false })).toContain(`\
x refund.sftrace  call 5 of 6, issue_refund: /amount is 43.5, recorded 42.5

  ok 1-4  matched
  x  5    issue_refund was called with another input

          /amount
        - recorded  42.5
        + live      43.5
`)
  })

  it('is coloured as git does: recorded red, live green', () => {
    const text = report(changedInput, { color: true })
    expect(text).toContain('       \u001b[31m- recorded  42.5\u001b[39m\n')
    expect(text).toContain('       \u001b[32m+ live      43.5\u001b[39m\n')
    expect(text.replace(/\u001b\[\d+m/g, '')).toBe(report(changedInput))
  })

  it('leaves only line one when quiet', () => {
    expect(report(changedInput, { quiet: true })).toBe(
      '✗ refund.sftrace  call 5 of 6, issue_refund: /amount is 43.5, recorded 42.5\n',
    )
  })
})

describe('a changed prompt', () => {
  it('points at the changed word, folds what follows, and says that the output proves nothing', () => {
    expect(report(changedPrompt)).toBe(`\
✗ refund.sftrace  call 1 of 6, gpt-4o-mini: /request/messages/0/content differs
    (2 follow)

  ✗ 1    gpt-4o-mini was sent another prompt

         /request/messages/0/content, 1 word of 22
       - recorded  …is Tue Dec 01 2026. Refunds up to 50 EUR need no approval.
       + live      …is Tue Dec 01 2026. Refunds up to 80 EUR need no approval.
                                                      ^^
         src/support-desk.ts:29:19, in answer
         > 29 |     const reply = await client.chat.completions.create({ model,…
              |                   ^
  ↳ 4, 6  follow from 1: the same difference again, nothing else
  ✓ 2, 3, 5  matched, after the recorded answers

  1 cause · 3 matched, 3 changed · live calls 0 · 0.2 s
  output equal, but it only repeats answers to the old prompt

  The model was never asked with this prompt. If the prompt is right, record
  again (tools run for real):
    npx stepfork record --again refund.sftrace --agent src/support-desk.ts
`)
  })
})

describe('an extra call', () => {
  it('says what the recording has instead, and what became of the refusal', () => {
    expect(report(extraCall)).toBe(`\
✗ refund.sftrace  extra call after 4: notify_owner is not in the recording

  ✓ 1-4  matched
  ✗ new  notify_owner was refused, not run
       + live      notify_owner {"order_id": "A-17", "channel": "#refunds"}
         nearest   none of that name; the recording has order_status,
                   customer_history, issue_refund
         tried 3 times; the agent caught the refusal and went on

         src/support-desk.ts:34:13, in answer
         > 34 |       await notify_owner({ order_id, channel: '#refunds' })
              |             ^
  ✓ 5-6  matched

  1 cause · 6 matched, 1 extra · output equal · live calls 0 · 0.2 s

  There is no recorded answer to accept. Run this one call for real, once:
    npx stepfork replay refund.sftrace --agent src/support-desk.ts \\
      --live notify_owner --save refund.new.sftrace
`)
  })
})

describe('a missing call', () => {
  it('shows the recorded call, and folds the output that follows from it', () => {
    expect(report(missingCall)).toBe(`\
✗ ticket.sftrace  call 7 of 7 is missing: open_ticket was not called

  ✓ 1-6  matched
  ✗ 7    open_ticket was expected after 6; the agent ended without it
       - recorded  open_ticket {"order_id": "A-17", "reason": "window closed"}
         recorded at src/support-desk.ts:36:11, in answer (as the file was then)

  ↳ output  follows from 7
         /ticket
       - recorded  "T-881"
       + live      (absent)

  1 cause · 6 matched, 1 missing · output differs · live calls 0 · 0.2 s

  If the call is rightly gone, record again (tools run for real):
    npx stepfork record --again ticket.sftrace --agent src/support-desk.ts
`)
  })
})

describe('an agent that throws', () => {
  it('says what was thrown and which calls were not reached', () => {
    const run = divergedRun([
      divergence('agent-error', {
        facts: {
          after: 4,
          errorName: 'TypeError',
          errorMessage: 'order is undefined',
          stack: ['at answer (src/a.ts:5:1)'],
        },
      }),
      ...[5, 6].map(number => divergence('missing', { call: number, label: 'x', root: false, causedBy: 0 })),
    ])
    expect(report(run)).toContain(`\
✗ refund.sftrace  the agent threw TypeError: order is undefined (2 follow)

  ✓ 1-4  matched
  ✗ run  the agent threw TypeError: order is undefined; the recorded run
         completed
         at answer (src/a.ts:5:1)

  ↳ 5-6  follow from that: not called
`)
  })
})

describe('many causes', () => {
  const six = divergedRun([1, 2, 3, 4, 5, 6].map(n => divergence('missing', { call: n, label: `tool_${n}` })))

  it('shows three in full and the rest in one line each', () => {
    const text = report(six)
    expect(text).toContain('tool_1 was not called (5 more causes)')
    expect(text.match(/- recorded/g)).toHaveLength(3)
    for (const n of [4, 5, 6])
      expect(text).toContain(`  ✗ ${n}    tool_${n} was expected after ${n - 1}; the agent`)
  })

  it('says in that one line what differs', () => {
    const differences = [{ path: '/amount', change: 'changed', recorded: 42.5, actual: 43.5 } as const]
    const found = [1, 2, 3, 4, 5, 6].map(call =>
      divergence('changed-input', { call, live: call, label: 'pay', differences }),
    )
    expect(report(divergedRun(found))).toContain('\n  ✗ 6    pay: /amount is 43.5, recorded 42.5\n')
  })

  it('shows all of them when verbose, and one command once', () => {
    expect(report(six, { verbose: true }).match(/- recorded/g)).toHaveLength(6)
    expect(report(six, { verbose: true }).match(/npx stepfork record/g)).toHaveLength(1)
  })
})

describe('an agent or a bundle that cannot be replayed', () => {
  it('says so with the hint, and keeps the lines of the hint', () => {
    const run = matchedRun({
      verdict: 'error',
      exitCode: 2,
      error: {
        code: 'AGENT_NO_ENTRY',
        message: 'src/a.ts exports nothing to call',
        hint: 'Wrap it:\n  export default run',
      },
    })
    expect(report(run)).toBe(`\
✗ refund.sftrace  not replayed: src/a.ts exports nothing to call
    (AGENT_NO_ENTRY)

  Wrap it:
    export default run
`)
  })
})

describe('several recordings', () => {
  it('end in one line of counts', () => {
    const reporter = prettyReporter(PIPED)
    const runs = [matchedRun(), changedInput, missingCall]
    expect(reporter.begin()).toBe('')
    expect(reporter.end(outcomeOf(...runs))).toBe('3 recordings: 1 matched, 2 diverged\n')
    expect(reporter.end(outcomeOf(matchedRun()))).toBe('')
  })
})

describe('piped output', () => {
  it('is not wrapped inside paths, values or sentences', () => {
    const path = `traces/${'deep/'.repeat(40)}refund.sftrace`
    const run = { ...changedInput, bundle: { ...changedInput.bundle, path } }
    const text = report(run, PIPED)
    expect(text.split('\n')[0]).toBe(`✗ ${path}  call 5 of 6, issue_refund: /amount is 43.5, recorded 42.5`)
    expect(text).toContain(`npx stepfork record --again ${path} --agent src/support-desk.ts\n`)
  })

  it('shows a payload whole up to a sane limit', () => {
    const words = (n: number) => 'word '.repeat(n).trim()
    const differing = (n: number) =>
      report(
        runWith('changed-input', {
          differences: [{ path: '/text', change: 'changed', recorded: words(n), actual: `${words(n)} end` }],
        }),
        PIPED,
      )
    expect(differing(300)).toContain(`recorded  ${words(300)}\n`)
    expect(
      Math.max(
        ...differing(100_000)
          .split('\n')
          .map(line => line.length),
      ),
    ).toBeLessThan(2100)
  })
})
