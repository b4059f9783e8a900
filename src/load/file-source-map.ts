import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TraceMap } from '@jridgewell/trace-mapping'

/**
 * The source map that a file on disk names in its last lines, inline or beside it; null when there is none, or none that can
 * be read. What a loader has compiled on its way (tsx) has positions of the source already and names none.
 */
export function fileSourceMap(file: string): TraceMap | null {
  try {
    const url = mapUrl(readFileSync(file, 'utf8'))
    if (url === null) return null
    const place = new URL(url, pathToFileURL(file))
    return new TraceMap(textOf(place), place.protocol === 'data:' ? pathToFileURL(file).href : place.href)
  } catch {
    return null
  }
}

function mapUrl(code: string): string | null {
  const last = [...code.matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1)
  return last?.[1] ?? null
}

/** Nothing is fetched: a map lies in the file itself, or in another one. */
function textOf(place: URL): string {
  if (place.protocol !== 'data:') return readFileSync(fileURLToPath(place), 'utf8')
  const [, encoding, data] = /^[^,]*?(;base64)?,(.*)$/s.exec(place.pathname)!
  return encoding === undefined ? decodeURIComponent(data!) : Buffer.from(data!, 'base64').toString('utf8')
}
