import { isStepforkError, StepforkError } from '../errors.ts'
import { sameJson } from '../json/compare.ts'
import { marked } from '../json/marked.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { liveKey } from '../match/match-keys.ts'
import { identityOf, labelOf } from '../plan/identity.ts'
import type { Plan } from '../plan/plan.ts'
import type { Slice } from '../trace/bundle.ts'
import type { Target } from '../trace/call.ts'
import type { RecordedExchange } from '../trace/exchange.ts'
import type { Redactor } from '../trace/redactor.ts'
import type { CallMatching } from './call-matching.ts'
import { type KeptValue, keptValue } from './kept-value.ts'

/** Payloads of the recording, by the line of their event; each call gives a fresh value. */
export interface PayloadSource {
  field(line: Slice, member: 'input' | 'output'): unknown
  /** Its text, for what holds more than JSON.parse can read. */
  rawField(line: Slice, member: 'input' | 'output'): string
  /** Absent where nothing was recorded over HTTP. */
  exchange?(line: Slice): RecordedExchange
}

/** A live input, looked at no further than needed: copied, redacted and digested only when it is not plainly the recorded one. */
export interface LiveInput {
  same(call: number): boolean
  key(): string
  /** The key that the input would have if it asked another model; null: it names none. */
  keyFor(model: string): string | null
  /** Redacted copy, as it stood when the call was made (if asked for before the agent goes on). Throws NOT_JSON. */
  kept(): KeptValue
}

export function createLiveInput(
  raw: unknown,
  target: Target,
  plan: Plan,
  payloads: PayloadSource | null,
  matching: CallMatching | null,
  redactor: Redactor,
): LiveInput {
  let copy: KeptValue | undefined
  const compared = (): Json => (plan.keepsValues ? marked(kept().value, kept().marks) : kept().value)
  const kept = (): KeptValue => {
    copy ??= keptInput(raw, labelOf(target), redactor)
    return copy
  }
  if (matching !== null) {
    const key = (): string => matching.keyOf(identityOf(target), compared())
    return { same: call => plan.calls[call - 1]!.keys.includes(key()), key, keyFor: () => null, kept }
  }
  const digestOf = (input: Json): string => liveKey(input, { jsonTexts: !plan.keepsOrder })
  let digest: string | undefined
  return {
    same: call => {
      const { request, inputMarks } = plan.calls[call - 1]!
      // What is marked is more than its plain form.
      if (payloads === null || inputMarks !== undefined) return false
      return sameJson(payloads.field(request, 'input') as Json, raw)
    },
    key: () => {
      digest ??= digestOf(compared())
      return digest
    },
    keyFor: model => {
      const input = target.kind === 'llm' ? askingModel(compared(), target.model, model) : null
      return input === null ? null : digestOf(input)
    },
    kept,
  }
}

/** SDKs name the model in the request itself, so that another model is another input as well. */
function askingModel(input: Json, from: string, to: string): Json | null {
  if (!isJsonObject(input)) return null
  if (input.model === from) return { ...input, model: to }
  const { request } = input
  if (request === undefined || !isJsonObject(request) || request.model !== from) return null
  return { ...input, request: { ...request, model: to } }
}

/** The agent gets this error from its call, where the sentence has to say which one it was. */
function keptInput(raw: unknown, label: string, redactor: Redactor): KeptValue {
  try {
    return keptValue(raw, redactor)
  } catch (error) {
    if (!isStepforkError(error)) throw error
    throw new StepforkError(
      'NOT_JSON',
      `${label} was called with what is not JSON: ${error.message}`,
      error.hint,
    )
  }
}
