import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isStepforkError, StepforkError } from '../errors.ts'
import { digest } from '../json/digest.ts'
import type { CheckpointKey, StepRecord } from '../turns/step-record.ts'
import type { StepRecordStore } from '../turns/step-store.ts'
import { formatStepRecord } from '../turns/write-record.ts'
import { makeFolder } from './make-folder.ts'
import { writeNewFile } from './new-file.ts'
import { invalidRecord, parseStored } from './stored-record.ts'

/**
 * Step records in a folder, for a repository: one JSON file a step in one folder a run in one folder a workflow. A record is
 * there whole or not at all, also after a crash. Links are refused: they could lead anywhere, and a store may have come with
 * somebody else's repository.
 */
export class FolderStepRecordStore implements StepRecordStore {
  readonly #folder: string

  /** The folder is made when the first record is saved. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Raises STEP_RECORD_INVALID, and WRITE_FAILED when the disk refuses. */
  async saveRecord(record: StepRecord): Promise<void> {
    const text = formatStepRecord(record)
    const { workflow_id, run_id, super_step } = record.key
    onDisk('WRITE_FAILED', () => {
      const folder = this.#runFolder(workflow_id, run_id)
      makeFolder(folder)
      writeWhole(folder, fileName(super_step), `${text}\n`)
    })
  }

  /** Raises STEP_RECORD_INVALID for a file that holds another record or none, STEP_STORE_FAILED when the disk refuses. */
  async loadRecord({ workflow_id, run_id, super_step }: CheckpointKey): Promise<StepRecord | null> {
    return onDisk('STEP_STORE_FAILED', () => {
      const path = join(this.#runFolder(workflow_id, run_id), fileName(super_step))
      return isThere(path) ? readRecord(path, workflow_id, run_id) : null
    })
  }

  /** Raises what `loadRecord` does; one bad file is an error of the whole run. */
  async listRecords(workflowId: string, runId: string): Promise<StepRecord[]> {
    return onDisk('STEP_STORE_FAILED', () => {
      const folder = this.#runFolder(workflowId, runId)
      const names = isThere(folder) ? readdirSync(folder).filter(name => FILE_NAME.test(name)) : []
      return names.sort().map(name => readRecord(join(folder, name), workflowId, runId))
    })
  }

  #runFolder(workflowId: string, runId: string): string {
    const workflow = join(this.#folder, folderName(workflowId))
    const run = join(workflow, folderName(runId))
    for (const folder of [workflow, run]) {
      if (isThere(folder) && !lstatSync(folder).isDirectory())
        throw invalidRecord(folder, 'it is no plain folder')
    }
    return run
  }
}

/** What the disk says becomes an error of ours; it names the path itself. */
function onDisk<T>(code: 'WRITE_FAILED' | 'STEP_STORE_FAILED', act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (isStepforkError(cause)) throw cause
    throw new StepforkError(code, `the store of steps: ${(cause as Error).message}`, null, { cause })
  }
}

function writeWhole(folder: string, name: string, text: string): void {
  const fresh = join(folder, `.${randomUUID()}`)
  try {
    writeNewFile(fresh, [text])
    renameSync(fresh, join(folder, name))
  } finally {
    // It is there only if something went wrong.
    rmSync(fresh, { force: true })
  }
}

/**
 * A name may be anything: empty, `..`, longer than a disk allows, or different from another one in case alone. So a folder is
 * named by a digest, behind as much of the name as is harmless.
 */
function folderName(name: string): string {
  const readable = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40)
  return `${readable}.${digest(JSON.stringify(name)).slice(0, 16)}`
}

/** Twenty digits, so that the order of names is the order of steps. */
const FILE_NAME = /^\d{20}\.json$/

function fileName(superStep: number | bigint): string {
  return `${String(superStep).padStart(20, '0')}.json`
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function readRecord(path: string, workflowId: string, runId: string): StepRecord {
  if (!lstatSync(path).isFile()) throw invalidRecord(path, 'it is no plain file')
  const bytes = readFileSync(path)
  if (!isUtf8(bytes)) throw invalidRecord(path, 'it is not UTF-8')
  const record = parseStored(path, bytes.toString('utf8'))
  const { key } = record
  const isOwn =
    key.workflow_id === workflowId && key.run_id === runId && path.endsWith(fileName(key.super_step))
  if (isOwn) return record
  const own = `${JSON.stringify([key.workflow_id, key.run_id])} step ${key.super_step}`
  throw invalidRecord(path, `it holds the record of ${own}: it was renamed or copied`)
}
