/** A recording that was cut off, or is still going on, read like any bundle: every finished call of it is there. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeRecording } from './run/finish-recording.ts'
import { rawSiteText } from './run/raw-site.ts'
import { isRecordingFolder } from './store/recording-folder.ts'
import { temporaryFolder } from './store/temporary-folder.ts'

/** Calls `read` with the path of a bundle: the given one, or for the folder of a recording one made of what it holds so far. */
export function asBundle<T>(path: string, read: (bundlePath: string) => T): T {
  if (!isRecordingFolder(path)) return read(path)
  const folder = temporaryFolder()
  try {
    return read(partialBundle(path, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes a bundle of what a recording's folder holds so far into `folder`, and gives its path. The recording stays as it is. */
export function partialBundle(path: string, folder: string): string {
  const bundle = join(folder, 'partial.sftrace')
  writeRecording(path, bundle, {
    overwrite: false,
    locate: rawSiteText,
  })
  return bundle
}
