import { type BoundaryCall, type Host, slot } from '../../../src/boundary/slot.ts'

/** Runs `fn` beside a host that writes down each call and answers it with its body, or as told. */
export function besideHost<R>(
  fn: () => R,
  answer: (call: BoundaryCall) => unknown = call => call.body(),
): { readonly calls: readonly BoundaryCall[]; readonly result: R } {
  const calls: BoundaryCall[] = []
  const host: Host = {
    mode: 'record',
    ownsProcess: false,
    call: call => {
      calls.push(call)
      return answer(call)
    },
    enclosing: () => null,
    setOutput: () => {},
    service: () => {},
    note: () => {},
  }
  slot().hosts.add(host)
  try {
    return { calls, result: slot().context.run({ host, inside: null }, fn) }
  } finally {
    slot().hosts.delete(host)
  }
}
