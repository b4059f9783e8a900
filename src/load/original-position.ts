import { fileURLToPath, pathToFileURL } from 'node:url'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import type { AgentBundle } from './bundle-agent.ts'
import { withoutPrelude } from './module-globals.ts'
import type { StackFrame } from './stack-frame.ts'

/** Gives the place in the source for a frame; null for code of the bundle that has no source. */
export type ToOriginal = (frame: StackFrame) => StackFrame | null

/** Frames in the bundled file are mapped; others are taken as they are. The map is decoded at the first of them. */
export function originalPosition(bundle: AgentBundle | null): ToOriginal {
  if (bundle === null) return frame => frame
  let map: TraceMap | null = null
  return frame => {
    if (frame.file !== bundle.code) return frame
    map ??= new TraceMap(bundle.map, pathToFileURL(bundle.code).href)
    return mapped(frame, map, bundle)
  }
}

function mapped(frame: StackFrame, map: TraceMap, bundle: AgentBundle): StackFrame | null {
  const found = originalPositionFor(map, { line: frame.line, column: frame.column - 1 })
  if (found.source === null) return null
  const file = fileURLToPath(found.source)
  const column = withoutPrelude(bundle.preludes.get(file), found.line, found.column) + 1
  return { file, line: found.line, column, function: frame.function }
}
