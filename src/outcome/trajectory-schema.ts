/** The shape of a trajectory file. Strict: a misspelt key would otherwise be an assertion that never fails. */
import * as z from 'zod/mini'
import { StepforkError } from '../errors.ts'
import { parseJsonFile } from '../json/parse-json-file.ts'
import type { Trajectory } from './trajectory.ts'

const name = z.string().check(z.minLength(1))
const count = z.int().check(z.minimum(0))

const argument = z.strictObject({
  name,
  value: z.unknown(),
  occurrence: z.optional(z.int().check(z.minimum(1))),
})

const trajectory = z
  .strictObject({
    called: z.optional(z.array(name)),
    not_called: z.optional(z.array(name)),
    counts: z.optional(z.record(name, count)),
    arguments: z.optional(z.array(argument)),
    order: z.optional(z.array(z.tuple([name, name]))),
    sequence: z.optional(z.array(name).check(z.minLength(1))),
    strict_sequence: z.optional(z.boolean()),
    max_steps: z.optional(count),
  })
  .check(
    z.refine(({ sequence, strict_sequence }) => strict_sequence === undefined || sequence !== undefined, {
      path: ['strict_sequence'],
      message: 'needs a sequence',
    }),
  )

/** Reads the text of a trajectory file. Throws USAGE naming the file and the member that is wrong. */
export function parseTrajectory(text: string, file: string): Trajectory {
  const result = trajectory.safeParse(parseJsonFile(text, file))
  if (result.success) return result.data as Trajectory
  const issue = result.error.issues[0]!
  const place = issue.path.join('.') || 'it'
  const known = Object.keys(trajectory.shape).join(', ')
  const fault =
    issue.code === 'unrecognized_keys' ? `has the unknown key ${issue.keys[0]}` : faultOf(issue, place)
  throw new StepforkError('USAGE', `${file} is no trajectory: ${fault}`, `Its keys are ${known}.`)
}

function faultOf(issue: z.core.$ZodIssue, place: string): string {
  if (issue.code === 'invalid_type') return `${place} must be of type ${issue.expected}`
  return issue.code === 'custom' ? `${place} ${issue.message}` : `${place} has a value that is not allowed`
}
