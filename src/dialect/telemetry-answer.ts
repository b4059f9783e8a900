import type { Exchange } from '../trace/exchange.ts'
import { jsonExchange } from './made-exchange.ts'

/** What a sink of telemetry says when it has taken everything. */
export function telemetryAnswer(): Exchange {
  return jsonExchange(200, {})
}
