import { StepforkError } from '../errors.ts'
import type { CheckpointKey, StepRecord } from '../turns/step-record.ts'
import type { StepRecordStore } from '../turns/step-store.ts'
import { formatStepRecord } from '../turns/write-record.ts'
import { type Database, openDatabase, type Row } from './sqlite.ts'
import { invalidRecord, parseStored } from './stored-record.ts'

export interface SqliteStepRecordStoreOptions {
  /** Never writes, and a file that is not there is an error. Default false: it is made. */
  readonly readOnly?: boolean
}

/**
 * Step records in an SQLite database, in the table of the Rust crates, so that either reads what the other wrote. The
 * columns say where a record is found; one whose own key says something else is given all the same, with a warning of the
 * process.
 */
export class SqliteStepRecordStore implements StepRecordStore {
  readonly #path: string
  readonly #database: Database

  /** Raises SQLITE_MISSING where Node has no `node:sqlite`, STEP_STORE_FAILED for what cannot be opened as such a database. */
  constructor(path: string, { readOnly = false }: SqliteStepRecordStoreOptions = {}) {
    this.#path = path
    this.#database = openDatabase(path, readOnly)
    this.#try(() => {
      // A file may have come from anywhere: what its schema asks for beyond tables is not run.
      this.#database.exec('PRAGMA trusted_schema = OFF')
      // Another process may be writing for a moment.
      this.#database.exec('PRAGMA busy_timeout = 5000')
      if (!readOnly) this.#database.exec(TABLE)
    })
  }

  async saveRecord(record: StepRecord): Promise<void> {
    const text = formatStepRecord(record)
    const { workflow_id, run_id, super_step } = record.key
    if (BigInt(super_step) > LARGEST_COLUMN) throw tooLarge(super_step)
    this.#try(() => this.#database.prepare(UPSERT).run(workflow_id, run_id, BigInt(super_step), text))
  }

  async loadRecord({ workflow_id, run_id, super_step }: CheckpointKey): Promise<StepRecord | null> {
    const column = BigInt.asIntN(64, BigInt(super_step))
    const row = this.#rows(LOAD, workflow_id, run_id, column)[0]
    return row === undefined ? null : this.#recordOf(row, workflow_id, run_id)
  }

  /** By ascending column: a step from 2^63 up, which the crates store as a negative number, comes first as it does there. */
  async listRecords(workflowId: string, runId: string): Promise<StepRecord[]> {
    return this.#rows(LIST, workflowId, runId).map(row => this.#recordOf(row, workflowId, runId))
  }

  /** Lets go of the file. */
  close(): void {
    this.#database.close()
  }

  #rows(sql: string, ...values: readonly (string | bigint)[]): Row[] {
    return this.#try(() => {
      const statement = this.#database.prepare(sql)
      statement.setReadBigInts(true)
      return statement.all(...values)
    })
  }

  #recordOf({ super_step, record_json }: Row, workflowId: string, runId: string): StepRecord {
    const place = `${this.#path}, row ${JSON.stringify([workflowId, runId])} step ${super_step}`
    if (typeof record_json !== 'string') throw invalidRecord(place, 'record_json is no text')
    const record = parseStored(place, record_json)
    const { key } = record
    const isOwn =
      key.workflow_id === workflowId &&
      key.run_id === runId &&
      BigInt.asIntN(64, BigInt(key.super_step)) === super_step
    if (!isOwn) {
      const own = `${JSON.stringify([key.workflow_id, key.run_id])} step ${key.super_step}`
      process.emitWarning(`${place} holds a record whose own key is ${own}`, 'StepforkWarning')
    }
    return record
  }

  #try<T>(act: () => T): T {
    try {
      return act()
    } catch (cause) {
      const message = `${this.#path}: ${(cause as Error).message}`
      throw new StepforkError('STEP_STORE_FAILED', message, null, { cause })
    }
  }
}

const TABLE = `CREATE TABLE IF NOT EXISTS agent_step_records (
  workflow_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  super_step BIGINT NOT NULL,
  record_json TEXT NOT NULL,
  PRIMARY KEY (workflow_id, run_id, super_step)
)`
const UPSERT = `INSERT INTO agent_step_records (workflow_id, run_id, super_step, record_json) VALUES (?, ?, ?, ?)
  ON CONFLICT (workflow_id, run_id, super_step) DO UPDATE SET record_json = excluded.record_json`
const LOAD = `SELECT super_step, record_json FROM agent_step_records
  WHERE workflow_id = ? AND run_id = ? AND super_step = ?`
const LIST = `SELECT super_step, record_json FROM agent_step_records
  WHERE workflow_id = ? AND run_id = ? ORDER BY super_step`

const LARGEST_COLUMN = 2n ** 63n - 1n

/** The crates would store it as a negative number, which lists it first. */
function tooLarge(superStep: number | bigint): StepforkError {
  return new StepforkError(
    'STEP_STORE_FAILED',
    `super-step ${superStep} does not fit into an SQLite column, which ends at ${LARGEST_COLUMN}`,
    'InMemoryStepRecordStore and FolderStepRecordStore take steps up to 2^64-1.',
  )
}
