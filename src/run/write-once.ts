import type { Fact } from '../trace/journal.ts'

/** Writes facts that stand for the whole run: equal ones say nothing more. */
export function createWriteOnce(
  write: (fact: Fact) => void,
): (fact: Extract<Fact, { readonly kind: 'note' | 'service' }>) => void {
  const written = new Set<string>()
  return fact => {
    const text = JSON.stringify(fact)
    if (written.has(text)) return
    written.add(text)
    write(fact)
  }
}
