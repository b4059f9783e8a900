import { openPayloads, type Payloads } from '../store/payloads.ts'

/** Payloads that are opened when one is wanted, also again after they were closed: a run may end and go on. */
export function lazyPayloads(bundlePath: string): Payloads {
  let opened: Payloads | null = null
  const payloads = (): Payloads => {
    opened ??= openPayloads(bundlePath)
    return opened
  }
  return {
    text: slice => payloads().text(slice),
    field: (slice, member) => payloads().field(slice, member),
    rawField: (slice, member) => payloads().rawField(slice, member),
    exchange: slice => payloads().exchange(slice),
    close: () => {
      opened?.close()
      opened = null
    },
  }
}
