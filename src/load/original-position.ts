import { fileURLToPath, pathToFileURL } from 'node:url'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import type { AgentBundle } from './bundle-agent.ts'
import { fileSourceMap } from './file-source-map.ts'
import { withoutPrelude } from './module-globals.ts'
import type { StackFrame } from './stack-frame.ts'

/** Gives the place in the source for a frame; null for code of the bundle that has no source. */
export type ToOriginal = (frame: StackFrame) => StackFrame | null

/**
 * Frames in the bundled file are mapped, the map being decoded at the first of them; others are taken as they are. Where
 * nothing was bundled by us the agent may have been compiled before: then its files name their maps.
 */
export function originalPosition(bundle: AgentBundle | null): ToOriginal {
  return bundle === null ? ofFiles() : ofBundle(bundle)
}

function ofBundle(bundle: AgentBundle): ToOriginal {
  let map: TraceMap | null = null
  return frame => {
    if (frame.file !== bundle.code) return frame
    map ??= new TraceMap(bundle.map, pathToFileURL(bundle.code).href)
    const place = mapped(frame, map)
    if (place === null) return null
    const column = withoutPrelude(bundle.preludes.get(place.file), place.line, place.column - 1) + 1
    return { ...place, column }
  }
}

function ofFiles(): ToOriginal {
  const maps = new Map<string, TraceMap | null>()
  return frame => {
    if (!maps.has(frame.file)) maps.set(frame.file, fileSourceMap(frame.file))
    const map = maps.get(frame.file) ?? null
    return map === null ? frame : (mapped(frame, map) ?? frame)
  }
}

function mapped(frame: StackFrame, map: TraceMap): StackFrame | null {
  const found = originalPositionFor(map, { line: frame.line, column: frame.column - 1 })
  if (found.source === null || !found.source.startsWith('file:')) return null
  return {
    file: fileURLToPath(found.source),
    line: found.line,
    column: found.column + 1,
    function: frame.function,
  }
}
