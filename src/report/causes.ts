/** The causes among the divergences of a run. */
import type { Divergence, RunOutcome } from '../outcome/outcome.ts'

export interface Cause {
  readonly found: Divergence
  readonly followers: readonly Divergence[]
}

/** The causes, each with what follows from it, through others or directly. */
export function causesOf(run: RunOutcome): Cause[] {
  const roots = new Map<Divergence, Divergence[]>()
  for (const found of run.divergences) if (isCause(found)) roots.set(found, [])
  for (const found of run.divergences) if (!isCause(found)) follow(found, rootOf(found, run), roots)
  return [...roots].map(([found, followers]) => ({ found, followers }))
}

/** What names no cause that is there is one itself: nothing may be left out of a report. */
function follow(found: Divergence, root: Divergence, roots: Map<Divergence, Divergence[]>): void {
  const followers = roots.get(root)
  if (followers === undefined) roots.set(found, [])
  else followers.push(found)
}

function isCause(found: Divergence): boolean {
  return found.root || found.causedBy === null
}

function rootOf(found: Divergence, run: RunOutcome): Divergence {
  let at = found
  for (let steps = 0; steps < run.divergences.length && !isCause(at); steps++) {
    at = run.divergences[at.causedBy!] ?? { ...at, causedBy: null }
  }
  return at
}
