/** SQLite as far as Node brings it along, and no further: no package is needed where it does. */
import { StepforkError } from '../errors.ts'

export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface Statement {
  run(...values: readonly (string | bigint)[]): unknown
  get(...values: readonly (string | bigint)[]): Row | undefined
  all(...values: readonly (string | bigint)[]): Row[]
  setReadBigInts(enabled: boolean): void
}

export interface Row {
  readonly [column: string]: unknown
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => Database
}

/** Raises SQLITE_MISSING on a Node without `node:sqlite`, and STEP_STORE_FAILED for a file that cannot be opened. */
export function openDatabase(path: string, readOnly: boolean): Database {
  const { DatabaseSync } = sqliteModule()
  try {
    return new DatabaseSync(path, { readOnly })
  } catch (cause) {
    const hint = readOnly ? 'Check the path: a database that is only read must be there.' : null
    throw new StepforkError('STEP_STORE_FAILED', `cannot open ${path}: ${(cause as Error).message}`, hint, {
      cause,
    })
  }
}

/** Asked for when it is needed: importing it by name would end every program on a Node that does not have it. */
function sqliteModule(): SqliteModule {
  const module = process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined
  if (module !== undefined) return module
  throw new StepforkError(
    'SQLITE_MISSING',
    `Node ${process.versions.node} has no SQLite`,
    'It is in Node 22.13 and later (from 22.5 with --experimental-sqlite). FolderStepRecordStore works everywhere.',
  )
}
