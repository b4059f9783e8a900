import { parseJson } from './json/parse-json.ts'
import type { Json } from './json/value.ts'
import type { Evidence } from './outcome/evidence.ts'
import type { Plan } from './plan/plan.ts'
import type { Payloads } from './store/payloads.ts'

/** The recorded payloads that a verdict compares with, read when they are wanted. */
export function recordedPayloads(
  plan: Plan,
  payloads: Payloads,
): Pick<Evidence, 'recordedInput' | 'recordedResult' | 'recordedExchange' | 'recordedOutput'> & {
  readonly recordedRunInput: () => Json
} {
  return {
    recordedRunInput: () => (plan.input === null ? null : parseJson(payloads.rawField(plan.input, 'input'))),
    recordedInput: call => parseJson(payloads.rawField(call.request, 'input')),
    recordedResult: call =>
      call.outcome === null ? null : parseJson(payloads.rawField(call.outcome, 'output')),
    recordedExchange: call => (call.exchange === undefined ? null : payloads.exchange(call.exchange)),
    recordedOutput: () =>
      plan.end?.output == null ? null : parseJson(payloads.rawField(plan.end.output, 'output')),
  }
}
