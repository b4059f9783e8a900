import type { Json } from '../json/value.ts'
import type { Fact } from './journal.ts'
import type { Redactor } from './redactor.ts'

/** Payloads and errors were redacted when they were taken; here the other texts of a fact are: names, places, sentences. */
export function redactFact(fact: Fact, redactor: Redactor): Fact {
  switch (fact.kind) {
    case 'made':
      return redactRest(fact, ['target', 'site'], redactor)
    case 'settled':
      return redactRest(fact, ['outputNotJson'], redactor)
    case 'note':
    case 'service':
    case 'blocked':
    case 'not-started':
      return redactor.redact(fact as unknown as Json).value as unknown as Fact
    default:
      return fact
  }
}

function redactRest(fact: Fact, names: readonly string[], redactor: Redactor): Fact {
  const given = fact as unknown as Record<string, Json>
  const rest = Object.fromEntries(names.flatMap(name => (name in given ? [[name, given[name]!]] : [])))
  const { value, findings } = redactor.redact(rest)
  return findings.length === 0 ? fact : { ...fact, ...(value as object) }
}
