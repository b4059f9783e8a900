/**
 * Fields that several of a bundle's files share, as lenient as the Python implementation reads them, and the sentences
 * for what is wrong with one. Loaded by the reader only: zod never enters the agent's process.
 */
import * as z from 'zod/mini'

export const text = z.string().check(z.minLength(1))
export const runStatus = z.enum(['running', 'completed', 'failed'])
const amount = z.number().check(z.minimum(0))
/** Python's integers have no bound; what a double cannot count is no number of steps. */
const whole = z.number().check(z.minimum(0), z.maximum(2 ** 63), z.refine(Number.isInteger))

/** Python reads numbers out of booleans and texts, `1_000` included. */
export const looseWhole: z.ZodMiniType<number> = z.union(
  [whole, z.pipe(loosely(/^\s*\+?\d+(?:_\d+)*(?:\.0*)?\s*$/), whole)],
  'must be a whole number, 0 or more',
)

export const looseAmount: z.ZodMiniType<number> = z.union(
  [amount, z.pipe(loosely(/^\s*\+?\d+(?:_\d+)*(?:\.\d*)?(?:[eE][+-]?\d+)?\s*$/), amount)],
  'must be a number, 0 or more',
)

function loosely(shape: RegExp) {
  const written = z.string().check(z.regex(shape))
  return z.union([
    z.pipe(z.boolean(), z.transform(Number)),
    z.pipe(
      written,
      z.transform((value: string) => Number(value.replaceAll('_', ''))),
    ),
  ])
}

/** Missing reads as null. */
export function maybe<T>(type: z.ZodMiniType<T>): z.ZodMiniType<T | null> {
  return z._default(z.nullable(type), null) as unknown as z.ZodMiniType<T | null>
}

/** A checked value, or the first thing wrong with it as the end of a sentence: `"id" is missing`. */
export type Checked<T> = { readonly value: T } | { readonly fault: string }

export function check<T>(schema: z.ZodMiniType<T>, value: unknown): Checked<T> {
  const result = schema.safeParse(value)
  if (result.success) return { value: result.data }
  // The input tells a missing member from one of the wrong type. Asking for it at once would cost every good value.
  const { error } = schema.safeParse(value, { reportInput: true })
  return { fault: faultOf((error ?? result.error).issues[0]!) }
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `it has the unknown field ${JSON.stringify(issue.keys[0])}`
  if (issue.path.length === 0) return 'it must be an object'
  const name = JSON.stringify(issue.path.join('.'))
  if (issue.input === undefined && issue.code !== 'custom') return `${name} is missing`
  return `${name} ${requirementOf(issue)}`
}

function requirementOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty'
  if (issue.code === 'too_small')
    return issue.minimum === 0 ? 'must not be negative' : `must be ${issue.minimum} or more`
  if (issue.code === 'too_big') return `must be ${issue.maximum} or less`
  return issue.message
}
