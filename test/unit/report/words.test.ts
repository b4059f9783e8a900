import { describe, expect, it } from 'vitest'
import type { Kind, RunOutcome } from '../../../src/outcome/outcome.ts'
import { hintText } from '../../../src/report/hints.ts'
import { NOTE_WORDS } from '../../../src/report/note-words.ts'
import { WORDS } from '../../../src/report/words.ts'
import { divergence, matchedRun, runWith } from './refund-desk.ts'

const KINDS = Object.keys(WORDS) as Kind[]

/** Commands that a user can type today; a hint that names another sends people into a wall. */
const COMMANDS = ['replay', 'inspect', 'validate', 'record']
const NOT_YET = /--(fork-at|override|partial)\b|\bstepfork (accept|export|diff|fork)\b/

describe('the catalogue', () => {
  it.each(KINDS)('words %s in one clear line', kind => {
    const run = runWith(kind)
    const found = run.divergences[0]!
    const texts = [WORDS[kind].headline(found, run), WORDS[kind].sentence(found, run)]
    for (const text of texts) {
      expect(text).toMatch(/^[ -~]{10,}$/)
      expect(text).not.toMatch(/undefined|null|NaN|\[object|\?|\.$/)
    }
  })

  it.each(KINDS)('words %s without its facts, too', kind => {
    const run = runWith(kind, { facts: {}, differences: [], call: null, live: null })
    const found = run.divergences[0]!
    const texts = [WORDS[kind].headline(found, run), WORDS[kind].sentence(found, run)]
    for (const text of texts) expect(text).not.toMatch(/undefined|null|NaN|\[object|\?/)
  })

  it.each(KINDS)('has something to do about %s, in commands that exist', kind => {
    const run = runWith(kind)
    const hint = WORDS[kind].hint(run.divergences[0]!, run)
    expect(hint.sentence.length).toBeGreaterThan(20)
    expect(hint.sentence).toMatch(hint.command === null ? /\.$/ : /:$/)
    expect(hintText(hint)).not.toMatch(NOT_YET)
    if (hint.command !== null)
      expect(hint.command[0]).toMatch(new RegExp(`^npx stepfork (${COMMANDS.join('|')})$`))
  })

  it('tells kinds apart by their headlines', () => {
    const lines = KINDS.map(kind => WORDS[kind].headline(runWith(kind).divergences[0]!, runWith(kind)))
    expect(new Set(lines).size).toBe(KINDS.length)
  })

  it('names the command of an agent that is a command, after --', () => {
    const run = matchedRun({ agent: { command: ['node', 'agent.js', 'a b'] } })
    expect(hintText(WORDS['changed-input'].hint(divergence('changed-input'), run))).toMatch(
      / npx stepfork record --again refund\.sftrace -- node agent\.js 'a b'$/,
    )
  })

  it('gives no command where there is no agent file to name', () => {
    const hint = WORDS['changed-input'].hint(divergence('changed-input'), matchedRun({ agent: null }))
    expect(hint.command).toBeNull()
    expect(hint.sentence).toMatch(/\.$/)
  })

  it('gives the agent its arguments again, after --', () => {
    const agent = { file: 'src/desk.ts', export: null, argv: ['Ada', 'a b'] }
    expect(hintText(WORDS.missing.hint(divergence('missing'), matchedRun({ agent })))).toMatch(
      / npx stepfork record --again \S+ --agent src\/desk\.ts -- Ada 'a b'$/,
    )
  })

  it('loads the agent again in the way in which it was loaded', () => {
    const agent = { file: 'src/desk.ts', export: null, loader: 'tsx' as const }
    expect(hintText(WORDS.missing.hint(divergence('missing'), matchedRun({ agent })))).toContain(
      ' --agent src/desk.ts --loader tsx',
    )
  })

  it('does not blame the agent for a run that was interrupted', () => {
    const run = { ...runWith('agent-exit'), exitCode: 130 as const }
    const [found] = run.divergences
    expect(WORDS['agent-exit'].sentence(found!, run)).toContain('ended, as you asked')
    expect(hintText(WORDS['agent-exit'].hint(found!, run))).toMatch(/run to its end: npx stepfork replay /)
  })

  it('asks for a longer time than the one that was not enough', () => {
    const found = divergence('agent-timeout', { facts: { silentMs: 2000 } })
    expect(hintText(WORDS['agent-timeout'].hint(found, matchedRun()))).toMatch(/ --timeout 4s$/)
  })

  it('replays again in the mode and the order of this run, and runs for real what it ran', () => {
    const found = divergence('agent-timeout', { facts: { silentMs: 2000 } })
    const again = (run: RunOutcome): string => hintText(WORDS['agent-timeout'].hint(found, run))
    expect(again(matchedRun({ mode: 'derived', order: 'any' }))).toMatch(
      / --mode derived --order any --timeout 4s$/,
    )
    const { calls } = matchedRun()
    const executed = calls.map(call => (call.number === 5 ? { ...call, answer: 'executed' as const } : call))
    expect(again(matchedRun({ mode: 'hybrid', calls: executed }))).toMatch(
      / --live issue_refund --timeout 4s$/,
    )
  })

  it('says expected, and names the file to change, of an output that was given with --expect-output', () => {
    const differences = [{ path: '/total', change: 'changed' as const, recorded: 3, actual: 4 }]
    const found = divergence('output-differs', { call: null, differences, facts: { isExpected: true } })
    const { headline, sentence, hint } = WORDS['output-differs']
    expect(headline(found, matchedRun())).toMatch(/: \/total is 4, expected 3$/)
    expect(sentence(found, matchedRun())).toBe('the agent returned another output than the expected one')
    expect(hintText(hint(found, matchedRun()))).not.toContain('record')
    expect(hint({ ...found, facts: {} }, matchedRun()).sentence).toContain('record again')
  })

  it('tells an answer that was never given from one that had no JSON form', () => {
    const sentenceOf = (facts: { isLost?: boolean }): string =>
      WORDS['no-result'].sentence(divergence('no-result', { facts }), matchedRun())
    expect(sentenceOf({})).toContain('the recorded run ended before it was answered')
    expect(sentenceOf({ isLost: true })).toContain('its result had no JSON form and could not be kept')
  })

  describe.each(['extra', 'exhausted'] as const)('of a call that was %s and ran for real', kind => {
    const run = runWith(kind, { label: 'notify', live: 7, call: null })
    const [call] = run.calls
    const live = { ...call!, number: null, live: 7, label: 'notify', answer: 'executed' as const }
    const ran = { ...run, calls: [...run.calls, live] }
    const [found] = run.divergences

    it('does not say that it was refused, and offers to keep the run', () => {
      expect(WORDS[kind].sentence(found!, ran)).toMatch(/^notify ran for real/)
      expect(hintText(WORDS[kind].hint(found!, ran))).toMatch(/ --live notify --save refund\.new\.sftrace$/)
    })

    it('goes by the run that was kept', () => {
      const notes = [{ code: 'saved' as const, detail: 'kept.sftrace' }]
      const text = hintText(WORDS[kind].hint(found!, { ...ran, notes }))
      expect(text).toMatch(/ npx stepfork replay kept\.sftrace --agent \S+$/)
    })
  })

  it('says that every call of a name runs for real when others of that name are recorded', () => {
    const found = divergence('extra', { label: 'notify', facts: { recordedLabels: ['notify'] } })
    expect(WORDS.extra.hint(found, matchedRun()).sentence).toContain('Run each notify for real, once:')
  })

  it.each(['reordered', 'not-awaited'] as const)('says how to free a call that is %s, or all', kind => {
    const run = runWith(kind)
    const hint = WORDS[kind].hint(run.divergences[0]!, run)
    expect(hint.sentence).toMatch(/give issue_refund order: 'any', or free all calls with --order any:$/)
    expect(hintText(hint)).toMatch(/ --agent \S+ --order any$/)
  })

  it.each(['reordered', 'not-awaited'] as const)(
    'offers to free all where a request is %s, which nobody wrapped',
    kind => {
      const run = runWith(kind)
      const found = { ...run.divergences[0]!, facts: { isHttp: true } }
      expect(WORDS[kind].hint(found, run).sentence).toMatch(/matter, free all calls with --order any:$/)
    },
  )

  it('says that no input changed only where nothing else is wrong', () => {
    const run = runWith('reordered')
    const [found] = run.divergences
    const beside = { ...run, divergences: [...run.divergences, divergence('changed-input')] }
    expect(WORDS.reordered.hint(found!, run).sentence).toMatch(/^No input changed\. /)
    expect(WORDS.reordered.hint(found!, beside).sentence).not.toMatch(/No input changed/)
  })

  it('names the export that was replayed', () => {
    const run = matchedRun({ agent: { file: 'src/desks.ts', export: 'refunds' } })
    expect(hintText(WORDS.missing.hint(divergence('missing'), run))).toContain('--agent src/desks.ts#refunds')
  })
})

describe('line one', () => {
  const headline = (kind: Kind, change = {}) => {
    const run = runWith(kind, change)
    return WORDS[kind].headline(run.divergences[0]!, run)
  }

  it('names the type when only the type differs', () => {
    const differences = [{ path: '/amount', change: 'changed', recorded: 42, actual: '42' }]
    expect(headline('changed-input', { differences })).toContain(
      '/amount is "42" (text), recorded 42 (number)',
    )
  })

  it('counts the differences that it does not show', () => {
    const differences = [1, 2, 3].map(n => ({ path: `/${n}`, change: 'changed', recorded: 0, actual: n }))
    expect(headline('changed-input', { differences })).toContain('/1 is 1, recorded 0 (and 2 more)')
  })

  it('does not quote values that are too long, or differ where nobody sees it', () => {
    const one = (recorded: string, actual: string) =>
      headline('changed-input', { differences: [{ path: '/to', change: 'changed', recorded, actual }] })
    expect(one('x'.repeat(500), 'y'.repeat(500))).toContain('/to differs')
    expect(one('Lisbon', 'Lisbon ')).toContain('/to differs in a way that is hard to see')
  })

  it.each([
    [{ change: 'added', actual: 'EUR' }, '/x is "EUR", not recorded'],
    [{ change: 'added', actual: ['x'.repeat(99)] }, '/x is new'],
    [{ change: 'removed', recorded: 7 }, '/x is gone, recorded 7'],
    [{ change: 'removed', recorded: 'x'.repeat(99) }, '/x is gone'],
    [{ change: 'moved' }, '/x stands in another place'],
  ])('says how a member changed: %o', (difference, words) => {
    expect(headline('changed-input', { differences: [{ path: '/x', ...difference }] })).toContain(words)
  })

  it.each([
    [1, 'recorded once, asked a 2nd time'],
    [2, 'recorded 2 times, asked a 3rd time'],
    [10, 'recorded 10 times, asked a 11th time'],
    [20, 'recorded 20 times, asked a 21st time'],
  ])('counts calls that are used up: %i', (recordedTimes, words) => {
    expect(headline('exhausted', { facts: { after: 4, recordedTimes } })).toContain(words)
  })
})

describe('the notes', () => {
  it.each(Object.entries(NOTE_WORDS))('word %s with and without a detail', (_, words) => {
    expect(words('')).toMatch(/^[ -~]{20,}[^:]$/)
    expect(words('a detail')).toMatch(/: a detail$/)
  })
})
