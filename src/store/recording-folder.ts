/** The folder `<name>.sftrace.part/` of a recording that is going on, or was cut off. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { RecordingHead } from '../trace/recording-head.ts'
import { makeFolder } from './make-folder.ts'
import { writeNewFile } from './new-file.ts'

const HEAD = 'recording.json'

export function journalOf(folder: string): string {
  return join(folder, 'journal.jsonl')
}

/** Makes the folder anew, for its owner only; what an earlier recording of the same name left there goes. Raises WRITE_FAILED. */
export function createRecordingFolder(folder: string, head: RecordingHead): void {
  rmSync(folder, { recursive: true, force: true })
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
    writeNewFile(join(folder, HEAD), [`${writeJson(head as unknown as Json)}\n`])
  } catch (cause) {
    throw new StepforkError('WRITE_FAILED', `cannot write ${folder}: ${(cause as Error).message}`, null, {
      cause,
    })
  }
}

/** A folder that a recording writes to, by its name and its being there. */
export function isRecordingFolder(path: string): boolean {
  return (
    /\.sftrace\.part[/\\]*$/.test(path) && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
  )
}

/** Raises BUNDLE_NOT_FOUND and BUNDLE_INVALID. */
export function readRecordingHead(folder: string): RecordingHead {
  const path = join(folder, HEAD)
  const head = parsed(read(path), path)
  if (!isJsonObject(head) || head.format !== 'stepfork-recording' || head.version !== 1 || !hasNames(head)) {
    throw new StepforkError('BUNDLE_INVALID', `${path} is not the head of a recording`, HINT)
  }
  return head as unknown as RecordingHead
}

const HINT = 'Only the folder of a recording that was cut off, named ….sftrace.part, can be recovered.'

function hasNames({ agent_name, run_id, findings, environment }: { readonly [name: string]: Json }): boolean {
  return (
    typeof agent_name === 'string' &&
    typeof run_id === 'string' &&
    Array.isArray(findings) &&
    isJsonObject(environment ?? null)
  )
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StepforkError('BUNDLE_NOT_FOUND', `${path} cannot be read`, HINT, { cause })
  }
}

function parsed(text: string, path: string): Json {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new StepforkError('BUNDLE_INVALID', `${path} is not JSON`, HINT, { cause })
  }
}
