import { isStepforkError } from '../errors.ts'
import { inspectBundle } from '../inspect.ts'
import { errorObjectText } from '../report/error-text.ts'
import { inspectText } from '../report/inspect.ts'
import { inspectJson } from '../report/inspect-json.ts'
import type { ReadEvent } from '../report/shown-events.ts'
import type { Bundle } from '../trace/bundle.ts'
import { usage } from './option-values.ts'
import { paperFor } from './terminal.ts'

export interface InspectFlags {
  readonly json?: boolean
  readonly events?: boolean
  readonly step?: number
  readonly errorsOnly?: boolean
  readonly color?: boolean
}

/** Exit 0; 1 when there is no event at the step asked for; 2 when the bundle cannot be read. */
export function inspectCommand(path: string, flags: InspectFlags): number {
  const choice = { step: flags.step ?? null, errorsOnly: flags.errorsOnly ?? false }
  const options = { ...paperFor(process.stdout, flags.color), ...choice, events: flags.events ?? false }
  const text = withBundle(path, flags, (bundle, readEvent) =>
    flags.json ? inspectJson(bundle, readEvent, choice) : inspectText(bundle, readEvent, options),
  )
  if (text === UNREADABLE) return 2
  if (text !== null) {
    process.stdout.write(text)
    return 0
  }
  const message = `No events found at step ${flags.step}.`
  if (flags.json) process.stdout.write(errorObjectText('missing_step', message))
  else
    throw Object.assign(usage(message, `List them: npx stepfork inspect ${path} --events`), { exitCode: 1 })
  return 1
}

const UNREADABLE = Symbol('unreadable')

function withBundle(
  path: string,
  flags: InspectFlags,
  tell: (bundle: Bundle, readEvent: ReadEvent) => string | null,
): string | null | typeof UNREADABLE {
  try {
    return inspectBundle(path, tell)
  } catch (error) {
    if (!flags.json || !isStepforkError(error)) throw error
    process.stdout.write(errorObjectText('unreadable_trace', error.message))
    return UNREADABLE
  }
}
