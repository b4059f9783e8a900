/** What one run knows of secrets: how they are hidden, and which of the recording's each of its own is. */
import type { BoundaryCall } from '../boundary/slot.ts'
import type { Json } from '../json/value.ts'
import { labelOf } from '../plan/identity.ts'
import type { Plan } from '../plan/plan.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { Target } from '../trace/call.ts'
import type { Redactor } from '../trace/redactor.ts'
import type { LiveInput } from './live-input.ts'
import { createSecretRenaming } from './secret-renaming.ts'

export interface RunSecrets {
  readonly redactor: Redactor
  /** The recording has no name that holds a secret, so none is looked for. */
  withRedactedTarget(boundary: BoundaryCall): BoundaryCall
  /** Whether the secrets of a recorded call (number from 1) may be those of an input that equals it otherwise. */
  fits(call: number, input: LiveInput): boolean
  /** A call was answered: of a matched one the secrets are known from now on; of a changed one, the places of others. */
  noteTaken(live: LiveCall, input: LiveInput): readonly string[]
}

/** Tools and models have few names, asked for again and again; names made of data are not kept. */
const MOST_NAMES = 1000

export function createRunSecrets(redactor: Redactor, plan: Plan): RunSecrets {
  const clean = new Set<string>()
  const { others, bind } = createSecretRenaming(redactor.knows)
  return {
    redactor,
    withRedactedTarget: boundary => {
      const name = labelOf(boundary.target)
      if (clean.has(name)) return boundary
      const { value, findings } = redactor.redact(boundary.target as unknown as Json)
      if (findings.length > 0) return { ...boundary, target: value as unknown as Target }
      if (clean.size < MOST_NAMES) clean.add(name)
      return boundary
    },
    fits: (call, input) => {
      const recorded = plan.calls[call - 1]!
      return recorded.secrets === undefined || others(recorded, input.kept().findings ?? []).length === 0
    },
    noteTaken: ({ call, verdict }, input) => {
      const recorded = call === null ? undefined : plan.calls[call]
      if (recorded?.secrets === undefined) return []
      const findings = input.kept().findings ?? []
      if (verdict === 'changed-input') return others(recorded, findings)
      if (verdict === 'matched') bind(recorded, findings)
      return []
    },
  }
}
