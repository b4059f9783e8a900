import { type ErrorCode, StepforkError } from '../errors.ts'

/** One thing wrong with a cassette or a trace. */
export interface ShapeProblem {
  /** JSON Pointer from the top; '' is the whole value. */
  readonly path: string
  readonly message: string
  /** Of a trace as text: its line, from 1. */
  readonly line?: number
}

/** A cassette or trace that is none; all that is wrong with it is in `problems`. */
export class ShapeError extends StepforkError {
  static override readonly label: string = 'ShapeError'
  override readonly name: string = 'ShapeError'
  readonly problems: readonly ShapeProblem[]

  constructor(code: ErrorCode, what: string, problems: readonly ShapeProblem[], hint: string | null = null) {
    super(code, `${what}: ${summary(problems)}`, hint)
    this.problems = problems
  }
}

const MOST_SHOWN = 5

function summary(problems: readonly ShapeProblem[]): string {
  const shown = problems.slice(0, MOST_SHOWN).map(sentence).join('; ')
  return problems.length > MOST_SHOWN ? `${shown}; and ${problems.length - MOST_SHOWN} more` : shown
}

function sentence({ path, message, line }: ShapeProblem): string {
  const place = [...(line === undefined ? [] : [`line ${line}`]), ...(path === '' ? [] : [path])].join(' ')
  return place === '' ? message : `${place} ${message}`
}
