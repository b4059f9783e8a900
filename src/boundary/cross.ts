import { type BoundaryCall, currentHost } from './slot.ts'

/** Where every boundary ends: outside a recording and a replay the plain call, else what the run answers. */
export function cross(call: BoundaryCall): unknown {
  const host = currentHost()
  return host === null ? call.body() : host.call(call)
}

/** What a function is, told without calling it; transpiled async functions look plain. */
export function declaredShape(fn: (...args: never[]) => unknown): BoundaryCall['declared'] {
  switch (Object.prototype.toString.call(fn)) {
    case '[object AsyncFunction]':
      return 'async'
    case '[object AsyncGeneratorFunction]':
      return 'stream'
    default:
      return 'plain'
  }
}
