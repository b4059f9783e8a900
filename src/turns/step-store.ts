import type { CheckpointKey, StepRecord } from './step-record.ts'

/** Where step records are kept; names compare exactly, and a record with the same key replaces the earlier one. */
export interface StepRecordStore {
  saveRecord(record: StepRecord): Promise<void>
  /** Null when there is none. */
  loadRecord(key: CheckpointKey): Promise<StepRecord | null>
  /** All of one run, by ascending super-step; copies, so that later saves and changes do not show. */
  listRecords(workflowId: string, runId: string): Promise<StepRecord[]>
}
