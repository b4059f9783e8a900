/**
 * Services by the names of the environment variables that hold their addresses: a request to `http://localhost:4010` is one
 * to `${SHOP_API}` when that is what the variable says, and is the same one on another day and another port.
 */
import type { Host } from './slot.ts'

export interface ServiceNames {
  /** Variable by `host:port`, or `host` for the scheme's own port. */
  readonly byHost: ReadonlyMap<string, string>
  /** Tells the run that the variable was used, if one was. */
  noteUse(url: URL): void
}

/** Proxies and the like are ways to a service, not services. */
const NOT_SERVICES = /^npm_|^GIT_|_PROXY$|^proxy$|_REGISTRY$/i

const known = new WeakMap<Host, ServiceNames>()

/** Read once a run, at its first request: an agent may load its `.env` file by itself. */
export function serviceNames(host: Host): ServiceNames {
  let names = known.get(host)
  if (names === undefined) {
    names = readNames(host)
    known.set(host, names)
  }
  return names
}

function readNames(host: Host): ServiceNames {
  const byHost = new Map<string, string>()
  const addresses = new Map<string, URL>()
  // In a fixed order, whatever the shell's is: of two names for one address the first is used.
  for (const name of Object.keys(process.env).sort()) {
    const url = addressIn(name, process.env[name])
    if (url === null || byHost.has(url.host)) continue
    byHost.set(url.host, name)
    addresses.set(name, url)
  }
  return {
    byHost,
    noteUse: url => {
      const name = byHost.get(url.host)
      if (name !== undefined) host.service(name, bareAddress(addresses.get(name)!))
    },
  }
}

function addressIn(name: string, value: string | undefined): URL | null {
  if (value === undefined || !/^https?:\/\//i.test(value) || NOT_SERVICES.test(name)) return null
  return URL.canParse(value) ? new URL(value) : null
}

/** Without what may be secret in it. */
function bareAddress({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`
}
