/**
 * Fields that several of a bundle's files share, as lenient as the Python implementation reads them, and the sentences
 * for what is wrong with one. Loaded by the reader only: zod never enters the agent's process.
 */
import * as z from 'zod'

export const text = z.string().min(1)
export const runStatus = z.enum(['running', 'completed', 'failed'])

/** Python reads numbers out of booleans and texts, `1_000` included. */
export const looseWhole: z.ZodType<number> = z.union(
  [
    z.int().min(0),
    z
      .number()
      .min(0)
      .max(2 ** 63)
      .refine(Number.isInteger),
    loosely(/^\s*\+?\d+(?:_\d+)*(?:\.0*)?\s*$/).pipe(z.int().min(0)),
  ],
  'must be a whole number, 0 or more',
)

export const looseAmount: z.ZodType<number> = z.union(
  [z.number().min(0), loosely(/^\s*\+?\d+(?:_\d+)*(?:\.\d*)?(?:[eE][+-]?\d+)?\s*$/).pipe(z.number().min(0))],
  'must be a number, 0 or more',
)

function loosely(shape: RegExp): z.ZodType<number> {
  const written = z.string().regex(shape)
  return z.union([
    z.boolean().transform(Number),
    written.transform(value => Number(value.replaceAll('_', ''))),
  ])
}

/** Missing reads as null. */
export function maybe<T>(type: z.ZodType<T>): z.ZodType<T | null> {
  return type.nullable().default(null)
}

/** A checked value, or the first thing wrong with it as the end of a sentence: `"id" is missing`. */
export type Checked<T> = { readonly value: T } | { readonly fault: string }

export function check<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
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
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'must not be empty' : 'must not be negative'
  return issue.message
}
