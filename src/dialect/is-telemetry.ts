import type { SentRequest } from '../trace/exchange.ts'
import { textOf } from './body-content.ts'
import {
  OTLP_MEMBER,
  OTLP_PATH,
  SINK_HOST_NAMES,
  SINK_HOSTS,
  SINK_PATHS,
  type SinkHost,
} from './telemetry-sinks.ts'

/** The request sends traces, metrics, logs or usage somewhere. */
export function isTelemetry(sent: SentRequest): boolean {
  const { hostname, pathname } = sent.url
  const sink = sinkAt(hostname)
  // What is read there is no telemetry.
  if (sent.method === 'GET') return sink?.asked?.test(pathname) ?? false
  if (sink !== undefined && (sink.path === null || sink.path.test(pathname))) return true
  return (
    SINK_HOST_NAMES.test(hostname) ||
    SINK_PATHS.some(path => path.test(pathname)) ||
    (OTLP_PATH.test(pathname) && isOtlp(sent))
  )
}

const BY_DOMAIN = new Map(SINK_HOSTS.map(sink => [sink.domain, sink]))

function sinkAt(hostname: string): SinkHost | undefined {
  for (let at = 0; at !== -1; at = nextLabel(hostname, at)) {
    const sink = BY_DOMAIN.get(at === 0 ? hostname : hostname.slice(at))
    if (sink !== undefined) return sink
  }
  return undefined
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
