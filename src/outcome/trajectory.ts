/**
 * Assertions on the calls that a replay reached, whatever the recording says: the trajectory file of `--expect`, in the
 * form of the Python implementation (its behaviours 161-165). Pure; the file is checked in trajectory-schema.ts.
 */
import { canonicalValue } from '../json/canonical-value.ts'
import type { Json } from '../json/value.ts'
import type { ProfileName } from '../trace/redaction-profile.ts'
import { createRedactor } from '../trace/redactor.ts'

export interface Trajectory {
  readonly called?: readonly string[]
  readonly not_called?: readonly string[]
  readonly counts?: { readonly [name: string]: number }
  readonly arguments?: readonly ArgumentExpectation[]
  /** Pairs: a call of the first comes before a call of the second. */
  readonly order?: readonly (readonly [string, string])[]
  readonly sequence?: readonly string[]
  /** The sequence is all there is; else it need only occur in this order. */
  readonly strict_sequence?: boolean
  /** Tools and models together. */
  readonly max_steps?: number
}

export interface ArgumentExpectation {
  readonly name: string
  readonly value: Json
  /** From 1; absent: on any call of that tool. */
  readonly occurrence?: number
}

/** A call that was reached, as it was made. */
export interface ReachedCall {
  readonly kind: 'tool' | 'llm'
  readonly label: string
  /** Redacted. */
  readonly input: Json
}

/** `profile`: by which the calls were redacted. What does not hold, each as the end of a sentence; empty when all of it does. */
export function unmetExpectations(
  trajectory: Trajectory,
  calls: readonly ReachedCall[],
  profile: ProfileName,
): string[] {
  const tools = calls.filter(call => call.kind === 'tool')
  const names = tools.map(call => call.label)
  return [
    ...(trajectory.called ?? []).filter(name => !names.includes(name)).map(name => `${name} was not called`),
    ...(trajectory.not_called ?? []).filter(name => names.includes(name)).map(name => `${name} was called`),
    ...Object.entries(trajectory.counts ?? {}).flatMap(([name, count]) => unmetCount(name, count, names)),
    ...(trajectory.arguments ?? []).flatMap(expected => unmetArguments(expected, tools, profile)),
    ...(trajectory.order ?? []).flatMap(pair => unmetOrder(pair, names)),
    ...unmetSequence(trajectory, names),
    ...unmetSteps(trajectory.max_steps, calls.length),
  ]
}

function unmetCount(name: string, count: number, names: readonly string[]): string[] {
  const made = names.filter(candidate => candidate === name).length
  return made === count ? [] : [`${name} was called ${times(made)}, expected ${times(count)}`]
}

function unmetArguments(
  { name, value, occurrence }: ArgumentExpectation,
  tools: readonly ReachedCall[],
  profile: ProfileName,
): string[] {
  const wanted = canonicalValue(createRedactor(profile).redact(value).value)
  const ofName = tools.filter(call => call.label === name)
  const looked = occurrence === undefined ? ofName : ofName.slice(occurrence - 1, occurrence)
  if (looked.some(call => canonicalValue(call.input) === wanted)) return []
  const which = occurrence === undefined ? 'call' : `call ${occurrence}`
  if (looked.length === 0) return [`there is no ${which} of ${name}`]
  const has = occurrence === undefined ? `no call of ${name} has` : `call ${occurrence} of ${name} has not`
  return [`${has} the input ${wanted}`]
}

/** A distinct earlier occurrence: one call does not come before itself. */
function unmetOrder([first, second]: readonly [string, string], names: readonly string[]): string[] {
  const at = names.indexOf(first)
  const isMet = at !== -1 && names.indexOf(second, at + 1) !== -1
  return isMet ? [] : [`no call of ${first} comes before one of ${second}`]
}

function unmetSequence(
  { sequence, strict_sequence: isStrict }: Trajectory,
  names: readonly string[],
): string[] {
  if (sequence === undefined) return []
  if (isStrict === true) {
    const isSame = sequence.length === names.length && sequence.every((name, index) => name === names[index])
    return isSame ? [] : [`the calls are ${list(names)}, expected ${list(sequence)}`]
  }
  let next = 0
  for (const name of names) if (name === sequence[next]) next++
  return next === sequence.length
    ? []
    : [`${list(sequence)} do not occur in this order: the calls are ${list(names)}`]
}

function unmetSteps(most: number | undefined, steps: number): string[] {
  return most === undefined || steps <= most ? [] : [`the run has ${steps} steps, expected ${most} at most`]
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}
