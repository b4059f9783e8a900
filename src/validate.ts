/** The verb `validate`: is this bundle whole, does it contradict itself, and was it changed since it was recorded. */
import { join } from 'node:path'
import { isStepforkError } from './errors.ts'
import { asBundle } from './partial-bundle.ts'
import { valuesOf } from './plan/values-of.ts'
import { BundleError } from './store/bundle-error.ts'
import { bundleIntegrity } from './store/bundle-integrity.ts'
import type { Line } from './store/lines.ts'
import { openPayloads } from './store/payloads.ts'
import { readBundle } from './store/read-bundle.ts'
import { scanBundle } from './store/scan-bundle.ts'
import { scanSecrets } from './store/scan-secrets.ts'
import type { Manifest } from './trace/bundle.ts'
import type { TimedEvent } from './trace/event-schema.ts'
import type { Issue, IssueCode } from './trace/issue.ts'
import { secretsOf } from './trace/known-secrets.ts'
import { payloadCheck } from './trace/payload-hash.ts'
import { rulesOf } from './trace/rules.ts'
import type { Validation } from './trace/validation.ts'

export interface ValidateOptions {
  /** A part of a run: it may lack its beginning, and the error that it failed with. */
  readonly partial?: boolean
  /** Also compares files with integrity.json and payloads with their hashes. */
  readonly verifyIntegrity?: boolean
  /** Also names what looks like a secret, or is one: what the secret variables of this environment hold. */
  readonly secrets?: { readonly environment: NodeJS.ProcessEnv }
}

/**
 * Validates a bundle in one streaming pass, whatever its size. A bundle that cannot be loaded is an issue here, not an
 * error; errors are thrown only for what is no fault of the bundle (a file that may not be read).
 */
export function validateBundle(path: string, options: ValidateOptions = {}): Validation {
  const mode = options.partial === true ? 'partial' : 'strict'
  try {
    const check = (at: string): Checked =>
      withSecrets(checkBundle(at, mode, options.verifyIntegrity === true), at, options)
    const { events, issues, integrity } = asBundle(path, check)
    const valid = issues.length === 0
    return { path, mode, valid, events, issues, integrity, exitCode: exitCodeOf(issues, integrity) }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    return { path, mode, valid: false, events: 0, issues: error.issues, integrity: null, exitCode: 2 }
  }
}

type Checked = Pick<Validation, 'events' | 'issues' | 'integrity'>

function checkBundle(path: string, mode: Validation['mode'], verifyIntegrity: boolean): Checked {
  const scanned = scanBundle(path, manifest => ruleVisitor(manifest, mode, verifyIntegrity))
  const { visitor, digests, values } = scanned
  const ended = visitor.end()
  const { events } = ended
  const issues = values.length === 0 ? ended.issues : [...ended.issues, ...valueIssues(path)]
  if (!verifyIntegrity) return { events, issues, integrity: null }
  const { status, files, issues: ofFiles } = bundleIntegrity(path, digests)
  return { events, issues: [...issues, ...ofFiles], integrity: { status, files } }
}

/** What `x-values.jsonl` says of payloads that are not so would stop every replay. */
function valueIssues(path: string): Issue[] {
  const payloads = openPayloads(path)
  try {
    valuesOf(readBundle(path), payloads.rawField)
    return []
  } catch (error) {
    if (!isStepforkError(error)) throw error
    const location = join(path, 'x-values.jsonl')
    return [{ code: 'invalid_event', message: error.message, event_id: null, step: null, location }]
  } finally {
    payloads.close()
  }
}

function withSecrets(checked: Checked, path: string, { secrets }: ValidateOptions): Checked {
  if (secrets === undefined) return checked
  const found = scanSecrets(path, secretsOf(secrets.environment))
  return { ...checked, issues: [...checked.issues, ...found] }
}

function ruleVisitor(manifest: Manifest, mode: Validation['mode'], verifyIntegrity: boolean) {
  const { add, end } = rulesOf(manifest, mode)
  const payloadIssues = verifyIntegrity ? payloadCheck() : () => []
  return { end, visit: ({ event }: TimedEvent, line: Line) => add(event, payloadIssues(event, line.text)) }
}

const UNREADABLE: readonly IssueCode[] = [
  'missing_file',
  'invalid_json',
  'invalid_manifest',
  'invalid_event',
  'unsupported_schema',
  'integrity_metadata_invalid',
  'integrity_algorithm_unsupported',
]

function exitCodeOf(issues: readonly Issue[], integrity: Checked['integrity']): 0 | 1 | 2 | 3 {
  if (integrity?.status === 'unverified_legacy') return 3
  if (issues.some(issue => UNREADABLE.includes(issue.code))) return 2
  return issues.length === 0 ? 0 : 1
}
