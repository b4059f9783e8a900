import { parseStepRecord } from '../turns/read-record.ts'
import type { CheckpointKey, StepRecord } from '../turns/step-record.ts'
import type { StepRecordStore } from '../turns/step-store.ts'
import { formatStepRecord } from '../turns/write-record.ts'

/** Step records in this process. They are kept as text, so that what is given back is always a copy. */
export class InMemoryStepRecordStore implements StepRecordStore {
  /** Texts by super-step, by run, by workflow. */
  readonly #workflows = new Map<string, Map<string, Map<bigint, string>>>()

  async saveRecord(record: StepRecord): Promise<void> {
    const text = formatStepRecord(record)
    const { workflow_id, run_id, super_step } = record.key
    const runs = entry(this.#workflows, workflow_id, () => new Map<string, Map<bigint, string>>())
    entry(runs, run_id, () => new Map<bigint, string>()).set(BigInt(super_step), text)
  }

  async loadRecord({ workflow_id, run_id, super_step }: CheckpointKey): Promise<StepRecord | null> {
    const text = this.#workflows.get(workflow_id)?.get(run_id)?.get(BigInt(super_step))
    return text === undefined ? null : parseStepRecord(text)
  }

  async listRecords(workflowId: string, runId: string): Promise<StepRecord[]> {
    const steps = [...(this.#workflows.get(workflowId)?.get(runId) ?? [])]
    return steps.sort(([left], [right]) => (left < right ? -1 : 1)).map(([, text]) => parseStepRecord(text))
  }

  /** How many records there are. */
  get size(): number {
    let size = 0
    for (const runs of this.#workflows.values()) for (const steps of runs.values()) size += steps.size
    return size
  }
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
