import type { SentRequest } from '../trace/exchange.ts'
import { textOf } from './body-content.ts'
import { OTLP_MEMBER, OTLP_PATH, SINK_HOSTS, SINK_PATHS } from './telemetry-sinks.ts'

/** The request sends traces, metrics, logs or usage somewhere. */
export function isTelemetry(sent: SentRequest): boolean {
  const { hostname, pathname } = sent.url
  if (isSinkHost(hostname, pathname)) return true
  // Reading from one's own installation is no telemetry.
  if (sent.method === 'GET') return false
  return SINK_PATHS.some(path => path.test(pathname)) || (OTLP_PATH.test(pathname) && isOtlp(sent))
}

const PATHS_BY_DOMAIN = new Map(SINK_HOSTS.map(({ domain, path }) => [domain, path]))

function isSinkHost(hostname: string, pathname: string): boolean {
  for (let at = 0; at !== -1; at = nextLabel(hostname, at)) {
    const path = PATHS_BY_DOMAIN.get(at === 0 ? hostname : hostname.slice(at))
    if (path !== undefined) return path === null || path.test(pathname)
  }
  return false
}

function nextLabel(hostname: string, from: number): number {
  const dot = hostname.indexOf('.', from)
  return dot === -1 ? -1 : dot + 1
}

/** Packed and binary bodies cannot be read; an API that is no sink takes neither at such a path. */
function isOtlp({ header, body }: SentRequest): boolean {
  if (body === null) return false
  if (header('content-encoding') !== null) return true
  if (/protobuf/i.test(header('content-type') ?? '')) return true
  return OTLP_MEMBER.test(textOf(body) ?? '')
}
