import type { IntegrityStatus } from './bundle.ts'
import type { IntegrityCode, Issue } from './issue.ts'

/** `integrity.json`: SHA-256 digests of the exact bytes of the other files. */
export interface IntegrityRecord {
  readonly schema_version: string
  readonly algorithm: string
  readonly files: { readonly [name: string]: string }
}

export type FileVerdict = 'verified' | 'mismatch' | 'missing' | 'unverified'

export interface Integrity {
  readonly status: IntegrityStatus
  readonly files: { readonly [name: string]: FileVerdict }
  readonly issues: readonly Issue[]
}

/** The files that a record must list. */
export const COVERED = ['manifest.json', 'events.jsonl', 'redactions.json'] as const

/** A sidecar of ours. Other names in a record are ignored, as the Python implementation does. */
export const SIDECAR = /^x-[a-z0-9-]+\.jsonl?$/

/** What was found in place of a record: no file, or one that is no record (`reason` says why). */
export type NoRecord = { readonly kind: 'absent' } | { readonly kind: 'unreadable'; readonly reason: string }

/** The verdict on a bundle; `digests` has one entry a file, null when it is gone. */
export function judgeIntegrity(
  record: IntegrityRecord | NoRecord,
  digests: ReadonlyMap<string, string | null>,
): Integrity {
  if ('kind' in record) return withoutRecord(record)
  if (record.algorithm !== 'sha256') {
    const sentence = `integrity.json uses the algorithm ${JSON.stringify(record.algorithm)}; only sha256 is known`
    return mismatch([issue('integrity_algorithm_unsupported', sentence, 'integrity.json')], UNVERIFIED)
  }
  const faults = COVERED.flatMap(name => faultOf(record, name))
  if (faults.length > 0) return mismatch(faults, UNVERIFIED)
  return compareFiles(record, digests)
}

const UNVERIFIED: Integrity['files'] = Object.fromEntries(COVERED.map(name => [name, 'unverified']))

/** The files of a record that are to be hashed. */
export function coveredFiles(record: IntegrityRecord): string[] {
  return [...COVERED, ...Object.keys(record.files).filter(name => SIDECAR.test(name))]
}

function withoutRecord(record: NoRecord): Integrity {
  if (record.kind === 'unreadable') {
    return mismatch([issue('integrity_metadata_invalid', record.reason, 'integrity.json')], UNVERIFIED)
  }
  const sentence = 'the bundle has no integrity.json, so nothing tells whether its files were changed'
  const issues = [issue('integrity_unverified', sentence, 'integrity.json')]
  return { status: 'unverified_legacy', files: UNVERIFIED, issues }
}

function faultOf(record: IntegrityRecord, name: string): Issue[] {
  const digest = record.files[name]
  if (digest === undefined)
    return [issue('integrity_metadata_invalid', `integrity.json has no digest of ${name}`, name)]
  if (/^[0-9a-f]{64}$/.test(digest)) return []
  return [
    issue(
      'integrity_metadata_invalid',
      `integrity.json has no SHA-256 digest of ${name}, but another text`,
      name,
    ),
  ]
}

function compareFiles(record: IntegrityRecord, digests: ReadonlyMap<string, string | null>): Integrity {
  const verdicts = coveredFiles(record).map(
    name => [name, verdictOf(record.files[name], digests.get(name))] as const,
  )
  const issues = verdicts.flatMap(([name, verdict]) => issueOf(name, verdict))
  const files = Object.fromEntries(verdicts)
  return issues.length === 0 ? { status: 'verified', files, issues } : mismatch(issues, files)
}

function verdictOf(recorded: string | undefined, found: string | null | undefined): FileVerdict {
  if (found === null || found === undefined) return 'missing'
  return recorded === found ? 'verified' : 'mismatch'
}

function issueOf(name: string, verdict: FileVerdict): Issue[] {
  if (verdict === 'missing')
    return [issue('missing_file', `integrity.json lists ${name}, which is gone`, name)]
  if (verdict === 'verified') return []
  return [issue('integrity_mismatch', `${name} was changed after it was recorded`, name)]
}

function mismatch(issues: readonly Issue[], files: Integrity['files']): Integrity {
  return { status: 'mismatch', files, issues }
}

function issue(code: IntegrityCode, message: string, location: string): Issue {
  return { code, message, event_id: null, step: null, location }
}
