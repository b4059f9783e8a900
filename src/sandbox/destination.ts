import { addressText } from './open-addresses.ts'

/** Where `net.Socket.prototype.connect` is asked to connect to. Host is empty for a path (a Unix socket, a pipe). */
export interface Destination {
  readonly host: string
  readonly port: number | string
}

/** Node passes its own calls as one normalised list. */
export function destinationOf(args: readonly unknown[]): Destination {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) {
    const { host, port, path } = first as { host?: string; port?: number | string; path?: string | null }
    // node:http passes `path: null` for a connection to a host.
    return path == null ? { host: host ?? 'localhost', port: Number(port) } : { host: '', port: path }
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { host: '', port: first }
  return { host: typeof second === 'string' ? second : 'localhost', port: Number(first) }
}

export function destinationText({ host, port }: Destination): string {
  return host === '' ? String(port) : addressText(host, port)
}
