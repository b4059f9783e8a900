/**
 * The story of `record --again`: the same input once more, for real, written aside and swapped in, and what changed. A run
 * that does not begin or is cut off leaves the recording as it was.
 */
import { type ChangedCalls, type ComparedCall, changedCalls } from './diff/changed-calls.ts'
import { StepforkError } from './errors.ts'
import { canonicalText } from './json/canonical-text.ts'
import { digest } from './json/digest.ts'
import type { Mark } from './json/mark.ts'
import { marked } from './json/marked.ts'
import type { Json } from './json/value.ts'
import { writeJson } from './json/write-json.ts'
import { labelOf } from './plan/identity.ts'
import { planOf } from './plan/plan-of.ts'
import { type Recording, type RecordOptions, recordAgent } from './record.ts'
import { recordedPayloads } from './recorded-payloads.ts'
import { openPayloads } from './store/payloads.ts'
import { readBundle } from './store/read-bundle.ts'
import { swapBundle } from './store/write-bundle.ts'
import type { OriginHeader } from './trace/origin.ts'
import { REDACTED } from './trace/redact-text.ts'
import type { ProfileName } from './trace/redaction-profile.ts'

export interface RecordAgainOptions extends Omit<RecordOptions, 'input'> {
  /** In place of the recorded input; a command is given its own. */
  readonly input?: Json
}

export interface RecordingAgain extends Recording {
  readonly changes: ChangedCalls & { readonly isOutputChanged: boolean }
  /** The recording that stays, as the new one was cut off; null when it was replaced, or another name was given. */
  readonly kept: string | null
}

/** Throws what reading a bundle and recording an agent throw, and USAGE when the recorded input lacks a secret. */
export async function recordAgain(path: string, options: RecordAgainOptions): Promise<RecordingAgain> {
  const before = contentOf(path)
  const input = options.input ?? before.input
  if (options.input === undefined && options.program.kind === 'file') refuseRedacted(path, before.input)
  const aside = options.output ?? path.replace(/(\.sftrace)?[/\\]*$/, '.again.sftrace')
  const name = options.name ?? before.agentName
  const overwrite = options.output === null || options.overwrite
  const inputMarks = options.input === undefined ? before.inputMarks : undefined
  const recording = await recordAgent({
    ...options,
    redaction: options.redaction ?? before.redaction,
    name,
    input,
    inputMarks,
    output: aside,
    overwrite,
  })
  const now = contentOf(aside)
  const isOutputChanged = now.output !== before.output
  const changes = { ...changedCalls(before.calls, now.calls), isOutputChanged }
  const isCutOff = recording.status === 'running'
  const swaps = options.output === null && !isCutOff
  if (swaps) swapBundle(aside, path)
  return { ...recording, path: swaps ? path : recording.path, changes, kept: isCutOff ? path : null }
}

/** How the bundle was recorded: shown, never run. */
export function recordedAgent(path: string): OriginHeader['agent'] {
  return readBundle(path).origin?.header.agent ?? null
}

interface Content {
  readonly agentName: string
  readonly redaction: ProfileName
  readonly input: Json
  readonly inputMarks: readonly Mark[] | undefined
  readonly calls: readonly ComparedCall[]
  readonly output: string
}

function contentOf(path: string): Content {
  const bundle = readBundle(path)
  const payloads = openPayloads(bundle.path)
  try {
    const plan = planOf(bundle, payloads.rawField, { mode: 'frozen', order: 'causal', live: [] })
    const { recordedRunInput, recordedInput, recordedResult, recordedOutput } = recordedPayloads(
      plan,
      payloads,
    )
    return {
      agentName: plan.agentName,
      redaction: plan.redaction,
      input: recordedRunInput(),
      inputMarks: plan.inputMarks,
      calls: plan.calls.map(call => ({
        identity: call.identity,
        label: labelOf(call.target),
        input: digestOf(marked(recordedInput(call), call.inputMarks)),
        result: digestOf([marked(recordedResult(call), call.resultMarks), call.error as unknown as Json]),
      })),
      output: digestOf([
        plan.end?.status ?? null,
        plan.end?.failure ?? null,
        marked(recordedOutput(), plan.end?.outputMarks),
      ]),
    }
  } finally {
    payloads.close()
  }
}

function digestOf(value: Json): string {
  return digest(canonicalText(writeJson(value)))
}

function refuseRedacted(path: string, input: Json): void {
  if (!writeJson(input).includes(REDACTED)) return
  throw new StepforkError(
    'USAGE',
    `the recorded input of ${path} holds ${REDACTED} in the place of a secret`,
    'Give the input once more: --input …',
  )
}
