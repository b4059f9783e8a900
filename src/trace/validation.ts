/** What `validate` found in one bundle. */
import type { IntegrityStatus } from './bundle.ts'
import type { FileVerdict } from './integrity.ts'
import type { Issue } from './issue.ts'

export interface Validation {
  /** The directory, as the user wrote it. */
  readonly path: string
  readonly mode: 'strict' | 'partial'
  /** No issues. */
  readonly valid: boolean
  /** Events read; 0 when the bundle cannot be read. */
  readonly events: number
  readonly issues: readonly Issue[]
  /** Null when integrity was not asked for, or the bundle cannot be read. */
  readonly integrity: {
    readonly status: IntegrityStatus
    readonly files: { readonly [name: string]: FileVerdict }
  } | null
  /** 0 valid; 1 issues; 2 unreadable; 3 integrity asked for and none recorded. */
  readonly exitCode: 0 | 1 | 2 | 3
}
