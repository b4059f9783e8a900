import type { RawSite } from '../trace/journal.ts'

/** Where nobody has the source maps, the first frame that is no package and not Node's own: `file:line:column function`. */
export function rawSiteText({ frames }: RawSite): string | null {
  const frame = frames.find(text => !/node_modules|node:|\(<anonymous>\)/.test(text))
  const match = /^at (?:async )?(?:(.*) \()?(.*?):(\d+):(\d+)\)?$/.exec(frame ?? '')
  if (match === null) return null
  const [, name, file, line, column] = match
  return `${file}:${line}:${column}${name === undefined ? '' : ` ${name}`}`
}
