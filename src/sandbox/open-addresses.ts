import { isLoopback, isOwnPort } from '../own-ports.ts'

/** Where a connection may go although the network is closed: what the user allowed, and what the agent itself opened. */
export interface OpenAddresses {
  /** `host` is empty for a path. */
  has(protocol: 'tcp' | 'udp', host: string, port: number | string): boolean
  /** Some port of this host is allowed. */
  hasHost(host: string): boolean
}

export function openAddresses(allow: readonly string[]): OpenAddresses {
  const allowed = allow.map(splitAddress)
  return {
    has: (protocol, host, port) =>
      isOwnPort(protocol, host, port) ||
      allowed.some(one => one.port === String(port) && isSameHost(one.host, host)),
    hasHost: host => allowed.some(one => one.host === host),
  }
}

/** What the user allowed, for requests over HTTP. */
export function allowsUrl(allow: readonly string[]): (url: URL) => boolean {
  const allowed = allow.map(splitAddress)
  return ({ protocol, hostname, port }) => {
    const usual = protocol === 'http:' ? '80' : '443'
    const host = hostname.replace(/^\[|\]$/g, '')
    return allowed.some(one => one.port === (port || usual) && isSameHost(one.host, host))
  }
}

/** `localhost:80`, `[::1]:80`. */
export function addressText(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function splitAddress(address: string): { readonly host: string; readonly port: string } {
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: address.slice(colon + 1) }
}

/** A program that is told `localhost` may connect to 127.0.0.1 or ::1. */
function isSameHost(allowed: string, host: string): boolean {
  return allowed === host || (isLoopback(allowed) && isLoopback(host))
}
