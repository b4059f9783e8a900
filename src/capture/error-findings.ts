/** What was redacted in a recorded error, by its places in the events that tell of it. */
import type { Finding } from '../trace/redact.ts'

type Findings = readonly Finding[] | undefined

/** In the error event: name and message have fields of their own, all else stands in `details.stepfork`. */
export function findingsInEvent(findings: Findings): Finding[] {
  return placed(findings, path => OWN_FIELDS[path] ?? `/details/stepfork${path}`)
}

/** In the output of a failed tool's result, which has name and message only. */
export function findingsInResult(findings: Findings): Finding[] {
  return placed(findings, path => OWN_FIELDS[path] ?? null)
}

const OWN_FIELDS: { readonly [path: string]: string | undefined } = {
  '/name': '/error_type',
  '/message': '/message',
}

function placed(findings: Findings = [], placeOf: (path: string) => string | null): Finding[] {
  return findings.flatMap(finding => {
    const path = placeOf(finding.path)
    return path === null ? [] : [{ ...finding, path }]
  })
}
