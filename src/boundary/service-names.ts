/**
 * Services by the names of the environment variables that hold their addresses: a request to `http://localhost:4010` is one
 * to `${SHOP_API}` when that is what the variable says, and is the same one on another day and another port.
 */
import type { Host } from './slot.ts'

export interface ServiceNames {
  /** The variable that holds the address of this request; null: none. */
  nameOf(url: URL): string | null
  /** Tells the run of the variables that were used. */
  noteUse(url: URL): void
}

interface Service {
  readonly name: string
  readonly host: string
  /** Without a slash at its end. */
  readonly path: string
  /** As it is spelled, without what may be secret in it. */
  readonly address: string
}

/** Proxies and the like are ways to a service, not services. */
const NOT_SERVICES = /^npm_|^GIT_|_PROXY$|^proxy$|_REGISTRY$/i

const known = new WeakMap<Host, ServiceNames>()

/** Read once a run, at its first request: an agent may load its `.env` file by itself. */
export function serviceNames(host: Host): ServiceNames {
  let names = known.get(host)
  if (names === undefined) {
    names = namesFrom(process.env, host)
    known.set(host, names)
  }
  return names
}

/** Several variables may name one host: a gateway to two providers. All of them are needed in a replay. */
function namesFrom(environment: NodeJS.ProcessEnv, host: Host): ServiceNames {
  const services = servicesIn(environment)
  const at = (url: URL): Service[] => services.filter(service => service.host === url.host)
  return {
    nameOf: url => nearest(at(url), url.pathname)?.name ?? null,
    noteUse: url => {
      for (const { name, address } of at(url)) host.service(name, address)
    },
  }
}

/** In a fixed order, whatever the shell's is: of two names for one address the first is used. */
function servicesIn(environment: NodeJS.ProcessEnv): Service[] {
  return Object.keys(environment)
    .sort()
    .flatMap(name => serviceOf(name, environment[name]) ?? [])
}

function serviceOf(name: string, value: string | undefined): Service | null {
  if (value === undefined || !/^https?:\/\//i.test(value) || NOT_SERVICES.test(name)) return null
  if (!URL.canParse(value)) return null
  const { protocol, host, pathname } = new URL(value)
  const path = pathname.replace(/\/$/, '')
  // Agents put paths behind it: a slash that was not there would make another path.
  const slash = value.endsWith('/') ? '/' : ''
  return { name, host, path, address: `${protocol}//${host}${path}${slash}` }
}

/** The service whose path reaches farthest into that of the request; one of the same host if none does. */
function nearest(services: readonly Service[], path: string): Service | undefined {
  const around = services.filter(service => path === service.path || path.startsWith(`${service.path}/`))
  return (
    around.reduce(
      (best: Service | undefined, one) =>
        best === undefined || one.path.length > best.path.length ? one : best,
      undefined,
    ) ?? services[0]
  )
}
