/** The story of `record --recover`: a recording whose processes were killed is finished from its folder. */
import { existsSync } from 'node:fs'
import { StepforkError } from './errors.ts'
import { type Recording, summaryOf } from './record.ts'
import { finishRecording } from './run/finish-recording.ts'
import { rawSiteText } from './run/raw-site.ts'
import { assertWritable } from './store/assert-writable.ts'
import { isRecordingFolder } from './store/recording-folder.ts'

export type Recovered = Omit<Recording, 'agent' | 'end' | 'gitAttributes'> & {
  readonly agent: Recording['agent'] | null
}

/** Throws BUNDLE_NOT_FOUND and BUNDLE_INVALID for what is no such folder, BUNDLE_EXISTS and WRITE_FAILED. */
export function recoverRecording(folder: string, output: string | null, overwrite: boolean): Recovered {
  const path = output ?? folder.replace(/\.part[/\\]*$/, '')
  if (!isRecordingFolder(folder)) throw noRecording(folder, path)
  assertWritable(path, overwrite)
  const { head, run, facts } = finishRecording(folder, path, {
    overwrite,
    locate: rawSiteText,
  })
  return { path, agentName: head.agent_name, agent: head.agent, ...summaryOf(run, facts) }
}

function noRecording(folder: string, path: string): StepforkError {
  const isDone = !existsSync(folder) && existsSync(path)
  return new StepforkError(
    'BUNDLE_NOT_FOUND',
    `${folder} is not the folder of a recording`,
    isDone
      ? `${path} is there and needs no recovery.`
      : 'It is named like the bundle, with .part behind it: traces/refund-1.sftrace.part',
  )
}
