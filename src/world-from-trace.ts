/** The story of `worldFromTrace`: a cassette from a trace of grudge, or from a recorded bundle. */
import type { Cassette } from './cassette/cassette.ts'
import type { Trace } from './cassette/trace.ts'
import { cassetteFromPlan } from './cassette/world-from-plan.ts'
import { cassetteFromTrace, type WorldOptions } from './cassette/world-from-trace.ts'
import { planOf } from './plan/plan-of.ts'
import { openPayloads } from './store/payloads.ts'
import { readBundle } from './store/read-bundle.ts'
import type { Bundle } from './trace/bundle.ts'

/**
 * The cassette that answers what the recorded tools answered, failures included (`errors: 'drop'` makes one that grudge
 * can read). A bundle is given by its path, or read; its model calls are no tools and stay out. Raises what reading a
 * bundle raises.
 */
export function worldFromTrace(source: Trace | Bundle | string, options: WorldOptions = {}): Cassette {
  if (typeof source === 'string') return worldFromBundle(readBundle(source), options)
  return 'steps' in source ? cassetteFromTrace(source, options) : worldFromBundle(source, options)
}

function worldFromBundle(bundle: Bundle, options: WorldOptions): Cassette {
  const payloads = openPayloads(bundle.path)
  try {
    const plan = planOf(bundle, payloads.rawField, { mode: 'frozen', order: 'any' })
    return cassetteFromPlan(plan, payloads.rawField, options)
  } finally {
    payloads.close()
  }
}
