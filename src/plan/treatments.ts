/** The table of mode and policy: how a recorded call is answered (docs/modes.md shows it to users). */
import type { ReplayPolicy } from '../trace/bundle.ts'
import type { Target } from '../trace/call.ts'
import { labelOf } from './identity.ts'
import type { Mode, PlannedCall } from './plan.ts'

export interface ModeOptions {
  readonly mode: Mode
  /** Labels that may run for real: what `--live` names in mode hybrid, the tools that `--allow-live-tool` names in mode live. */
  readonly live?: readonly string[]
}

export type CallTreatment = Pick<PlannedCall, 'treatment' | 'refusal'>

const SERVE: CallTreatment = { treatment: 'serve', refusal: null }
const RUN: CallTreatment = { treatment: 'run', refusal: null }
const REFUSED_BY_MODE: CallTreatment = { treatment: 'refuse', refusal: 'mode' }
const REFUSED_BY_POLICY: CallTreatment = { treatment: 'refuse', refusal: 'policy' }

/**
 * A policy of forbidden holds in every mode, one of manual in every mode that does not ask; live and derived only say what
 * may be done, not what is.
 */
export function treatmentOf(
  target: Target,
  policy: ReplayPolicy,
  { mode, live = [] }: ModeOptions,
): CallTreatment {
  if (mode === 'forbidden') return REFUSED_BY_MODE
  if (policy === 'forbidden' || (policy === 'manual' && mode !== 'manual')) return REFUSED_BY_POLICY
  const isNamed = live.includes(labelOf(target))
  switch (mode) {
    case 'record':
    case 'frozen':
    // Asked about when it is made: what is said then goes before the plan.
    case 'manual':
      return SERVE
    case 'hybrid':
      return isNamed ? RUN : SERVE
    case 'live':
      return target.kind === 'llm' || isNamed ? RUN : REFUSED_BY_MODE
    case 'derived':
      return target.kind === 'tool' ? RUN : SERVE
  }
}
