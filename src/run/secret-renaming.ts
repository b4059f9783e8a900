/**
 * Secrets are compared as a one-to-one renaming: a replay may have others than the recording, but where two places had the same
 * one they have the same again, and where they had two they have two.
 */
import type { PlannedCall } from '../plan/plan.ts'
import type { Finding, SecretMark } from '../trace/redact.ts'

export interface SecretRenaming {
  /** Places in the live input at which another secret stands than in the recorded call; their texts are equal, redacted. */
  others(call: PlannedCall, live: readonly Finding[]): string[]
  /** The live call is the recorded one: its secrets are so called from now on. */
  bind(call: PlannedCall, live: readonly Finding[]): void
}

/** `knows`: whether an environment variable is set, and a secret, in this run. */
export function createSecretRenaming(knows: (variable: string) => boolean): SecretRenaming {
  const liveOf = new Map<number, number>()
  const recordedOf = new Map<number, number>()

  return {
    others: (call, live) => {
      // What one call says of its secrets has to agree, too.
      const [toLive, toRecorded] = [new Map(liveOf), new Map(recordedOf)]
      return pairsOf(call, live).flatMap(({ path, recorded, now }) => {
        const [boundTo, takenBy] = [toLive.get(recorded.number), toRecorded.get(now.number)]
        if (isOfOtherVariable(recorded, now)) return [path]
        if (boundTo === undefined && takenBy === undefined) {
          toLive.set(recorded.number, now.number)
          toRecorded.set(now.number, recorded.number)
          return []
        }
        return boundTo === now.number && takenBy === recorded.number ? [] : [path]
      })
    },
    bind: (call, live) => {
      for (const { recorded, now } of pairsOf(call, live)) {
        if (!liveOf.has(recorded.number)) liveOf.set(recorded.number, now.number)
        if (!recordedOf.has(now.number)) recordedOf.set(now.number, recorded.number)
      }
    },
  }

  /** Another name counts only while the recorded one is there to be used: an agent may fall back on a second key. */
  function isOfOtherVariable({ env = [] }: SecretMark, now: SecretMark): boolean {
    return now.env !== undefined && env.some(knows) && !env.some(name => now.env!.includes(name))
  }
}

interface Pair {
  readonly path: string
  readonly recorded: SecretMark
  readonly now: SecretMark
}

/** A placeholder that was handed out by a recorded answer fits any. */
function pairsOf({ secrets = [] }: PlannedCall, live: readonly Finding[]): Pair[] {
  const marks = new Map(live.map(finding => [finding.path, finding.secrets ?? []]))
  return secrets.flatMap(({ path, secrets: recorded }) => {
    const now = marks.get(path) ?? []
    if (now.length !== recorded.length) return []
    return recorded.flatMap((mark, at) =>
      mark === null || now[at] == null ? [] : [{ path, recorded: mark, now: now[at] }],
    )
  })
}
