import { isAbsolute } from 'node:path'
import type { AgentBundle } from './bundle-agent.ts'
import { originalPosition, type ToOriginal } from './original-position.ts'
import { showPath } from './show-path.ts'
import { parseFrame, type StackFrame } from './stack-frame.ts'
import { isStepfork } from './user-code.ts'

/** The stack of an error as its user would read it: `at fn (src/agent.ts:14:5)`, at most ten lines, no message. */
export type StackMapper = (stack: string) => readonly string[]

const LIMIT = 10

/** Positions are those of the source; Node's own frames and ours are left out, those of packages stay. */
export function createStackMapper(bundle: AgentBundle | null, cwd: string): StackMapper {
  const toOriginal = originalPosition(bundle)
  return stack => {
    const frames = stack.split('\n').flatMap(line => originalOf(line, toOriginal) ?? [])
    return frames
      .filter(({ file }) => isAbsolute(file) && !isStepfork(file))
      .slice(0, LIMIT)
      .map(frame => frameText(frame, cwd))
  }
}

/** An error of linking has no frame but, before its message, a line that is only the place: `file:///a.mjs:3`. */
function originalOf(line: string, toOriginal: ToOriginal): StackFrame | null {
  const text = /^file:.*:\d+$/.test(line) ? `${line}:1` : line
  const isFrame = text !== line || /^\s+at /.test(line)
  const raw = isFrame ? parseFrame(text) : null
  return raw === null ? null : toOriginal(raw)
}

function frameText({ file, line, column, function: name }: StackFrame, cwd: string): string {
  const place = `${showPath(file, cwd)}:${line}:${column}`
  return name === null ? `at ${place}` : `at ${name} (${place})`
}
