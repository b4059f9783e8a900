/** Every log of a few calls, and every order in which an unchanged agent may come with them: nothing is flagged, nothing gets stuck. */
import { describe, expect, it } from 'vitest'
import { createPrng } from '../../agents/prng.ts'
import { play } from './play.ts'

type Kind = 'distinct calls' | 'equal calls' | 'unanswered calls'

const KINDS: readonly Kind[] = ['distinct calls', 'equal calls', 'unanswered calls']
const level = process.env.STEPFORK_PROOF

describe.each(KINDS)('every log of %s', kind => {
  it.each([2, 3, 4])('of %i calls, in every legal schedule', count => {
    expect(explore(logsOf(count, kind), kind)).toMatchObject({ flagged: [], stuck: [] })
  })

  it.runIf(level === 'ci' || level === 'full')(
    'of 5 calls, in every legal schedule',
    { timeout: 900_000 },
    () => {
      expect(explore(logsOf(5, kind), kind)).toMatchObject({ flagged: [], stuck: [] })
    },
  )

  it.runIf(level === 'full')('of 6 calls, one log in a hundred', { timeout: 3_600_000 }, () => {
    const random = createPrng(6)
    const sample = [...logsOf(6, kind)].filter(() => random() < 0.01)
    expect(explore(sample, kind)).toMatchObject({ flagged: [], stuck: [] })
  })
})

it('explores as many states as it is meant to', () => {
  expect(explore(logsOf(3, 'distinct calls'), 'distinct calls').states).toBeGreaterThan(100)
})

/** A log as events: `a` a call is made, `-a` it is answered. */
type Log = readonly string[]

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** Calls are made in the order of their names; each is answered anywhere after it was made, or never. */
function* logsOf(count: number, kind: Kind): Generator<Log> {
  yield* extend([], 0, [])

  function* extend(log: Log, made: number, open: readonly string[]): Generator<Log> {
    if (made === count && (open.length === 0 || kind === 'unanswered calls')) yield log
    const next = NAMES[made]!
    if (made < count) yield* extend([...log, next], made + 1, [...open, next])
    for (const name of open)
      yield* extend(
        [...log, `-${name}`],
        made,
        open.filter(other => other !== name),
      )
  }
}

interface Explored {
  states: number
  readonly flagged: string[]
  readonly stuck: string[]
}

type Step = string | 'turn' | 'idle'

function explore(logs: Iterable<Log>, kind: Kind): Explored {
  const explored: Explored = { states: 0, flagged: [], stuck: [] }
  for (const log of logs) exploreLog(log, kind, explored)
  return explored
}

/** All schedules of an agent that makes each call once those that had ended before it in the recording are answered. */
function exploreLog(log: Log, kind: Kind, explored: Explored): void {
  const needs = needsOf(log)
  const seen = new Set<string>()
  const waiting: Step[][] = [[]]
  while (waiting.length > 0) {
    const steps = waiting.pop()!
    const state = replayed(log, kind, steps)
    const name = nameOf(state, kind)
    if (seen.has(name)) continue
    seen.add(name)
    explored.states++
    if (state.isFlagged) explored.flagged.push(`${log.join(' ')} | ${steps.join(' ')}`)
    const next = nextSteps(log, kind, steps, state, needs)
    if (next.length === 0 && isStuck(log, state)) explored.stuck.push(`${log.join(' ')} | ${steps.join(' ')}`)
    for (const step of next) waiting.push([...steps, step])
  }
}

/** For each call, what had been answered before it was made. */
function needsOf(log: Log): ReadonlyMap<string, readonly string[]> {
  const answered: string[] = []
  const needs = new Map<string, readonly string[]>()
  for (const event of log) {
    if (event.startsWith('-')) answered.push(event.slice(1))
    else needs.set(event, [...answered])
  }
  return needs
}

interface State {
  readonly made: readonly string[]
  readonly answered: ReadonlySet<string>
  readonly isFlagged: boolean
  /** What the last step handed out; null when everything waited. */
  readonly last: string | null
}

function replayed(log: Log, kind: Kind, steps: readonly Step[]): State {
  const run = play(log.map(event => notation(event, kind)).join(' '))
  const made: string[] = []
  const answered = new Set<string>()
  let last: string | null = null
  for (const step of steps) {
    if (step !== 'turn' && step !== 'idle') {
      run.call(label(step, kind))
      made.push(step)
    } else {
      last = step === 'turn' ? run.turn() : run.idle()
      if (last?.startsWith('-') && !last.endsWith('refused')) answered.add(nameBehind(last.slice(1)))
    }
  }
  const isFlagged = run.facts.some(fact => fact.kind !== 'unanswered') || made.some(name => isOdd(name))
  return { made, answered, isFlagged, last }

  function isOdd(name: string): boolean {
    const verdict = run.verdict(kind === 'equal calls' ? label(name, kind) : name)
    return verdict !== 'matched' && verdict !== 'no-result'
  }
}

/** Equal calls have one input; ticks keep their labels apart. */
function label(name: string, kind: Kind): string {
  return kind === 'equal calls' ? `k${"'".repeat(NAMES.indexOf(name))}` : name
}

function nameBehind(text: string): string {
  return text.startsWith('k') ? NAMES[text.length - 1]! : text
}

function notation(event: string, kind: Kind): string {
  return event.startsWith('-') ? `-${label(event.slice(1), kind)}` : `+${label(event, kind)}`
}

function nameOf({ made, answered }: State, kind: Kind): string {
  const calls = kind === 'equal calls' ? made : made.toSorted()
  return `${calls.join('')}|${[...answered].sort().join('')}`
}

function nextSteps(
  log: Log,
  kind: Kind,
  steps: readonly Step[],
  state: State,
  needs: ReadonlyMap<string, readonly string[]>,
): Step[] {
  const next: Step[] = [...needs]
    .filter(([name, before]) => !state.made.includes(name) && before.every(one => state.answered.has(one)))
    .map(([name]) => name)
  const inTurn = replayed(log, kind, [...steps, 'turn']).last
  if (inTurn !== null) return [...next, 'turn']
  // The run is idle only when it is not about to make a call by itself; both are tried, as the driver may err.
  const idle = replayed(log, kind, [...steps, 'idle']).last
  return idle === null || idle.endsWith('refused') ? next : [...next, 'idle']
}

/** Nothing can go on, and yet a call was not made, or one that the recording answered was not. */
function isStuck(log: Log, { made, answered }: State): boolean {
  return log.some(event => (event.startsWith('-') ? !answered.has(event.slice(1)) : !made.includes(event)))
}
