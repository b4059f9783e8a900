import type { MadeFact } from '../trace/journal.ts'

/** Where nobody has the source maps, the first frame that is no package and not Node's own: `file:line:column function`. */
export function rawSiteText({ site }: MadeFact): string | null {
  const frame = site?.frames.find(text => !/node_modules|node:|\(<anonymous>\)/.test(text))
  const match = /^at (?:async )?(?:(.*) \()?(.*?):(\d+):(\d+)\)?$/.exec(frame ?? '')
  if (match === null) return null
  const [, name, file, line, column] = match
  return `${file}:${line}:${column}${name === undefined ? '' : ` ${name}`}`
}
