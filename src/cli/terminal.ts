import isUnicodeSupported from 'is-unicode-supported'
import type { Paper } from '../report/page.ts'

/** What the output is printed on: a terminal of some width, or a pipe that nothing is wrapped for. */
export function paperFor(stream: NodeJS.WriteStream, color: boolean | undefined): Paper {
  return {
    color: color ?? hasColor(stream, process.env),
    width: stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY,
    unicode: isUnicodeSupported(),
  }
}

/** NO_COLOR and FORCE_COLOR as no-color.org and Node have them. */
function hasColor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return stream.isTTY && env.TERM !== 'dumb'
}
