import { made } from '../json/made.ts'
import type { Mark } from '../json/mark.ts'
import { valueAt } from '../json/pointer.ts'
import type { Json } from '../json/value.ts'
import type { Finding } from './redact.ts'
import type { Redactor } from './redactor.ts'

/**
 * The marks that still fit when secrets were replaced: nothing stands below what was replaced as a whole, and what no longer
 * has the form of its kind is a text. The path of a mark is written, too: one that names a secret is left out.
 */
export function marksAfter(
  redacted: Json,
  marks: readonly Mark[],
  findings: readonly Finding[],
  redactor: Redactor,
): readonly Mark[] {
  if (marks.length === 0) return marks
  const named = withoutSecretPaths(marks, redactor)
  if (findings.length === 0) return named
  const replaced = new Set(findings.map(finding => finding.path))
  return named.filter(
    mark => !isBelow(mark.path, replaced) && (!replaced.has(mark.path) || fits(redacted, mark)),
  )
}

/** Nearly all have none, which one look at all of them tells. */
function withoutSecretPaths(marks: readonly Mark[], redactor: Redactor): readonly Mark[] {
  const isClean = (text: string): boolean => redactor.redact(text).findings.length === 0
  return isClean(marks.map(({ path }) => path).join('\n')) ? marks : marks.filter(({ path }) => isClean(path))
}

function isBelow(path: string, replaced: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    if (replaced.has(path.slice(0, end))) return true
    if (end === 0) return false
  }
  return false
}

function fits(redacted: Json, { path, is }: Mark): boolean {
  try {
    made(is, valueAt(redacted, path), [])
    return true
  } catch {
    return false
  }
}
