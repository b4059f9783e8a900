import { jsonInText } from '../json/parse-json.ts'
import type { ReadRequest, SentRequest } from '../trace/exchange.ts'
import { textOf } from './body-content.ts'
import { isTelemetry } from './is-telemetry.ts'
import { modelRequest } from './model-request.ts'
import { plainInput, plainName } from './plain-request.ts'

/**
 * What a request is: told by its path and body. Hosts that an environment variable names are called by it (`${SHOP_API}`): by
 * `host:port`, or `host` for the scheme's own port, the name of the variable.
 */
export function readRequest(sent: SentRequest, hosts: ReadonlyMap<string, string> = NO_HOSTS): ReadRequest {
  const telemetry = isTelemetry(sent)
  const model = telemetry ? null : modelOf(sent)
  if (model !== null) return model
  return {
    kind: telemetry ? 'telemetry' : 'plain',
    target: { kind: 'tool', name: plainName(sent, hosts) },
    dialect: null,
    input: telemetry ? { path: sent.url.pathname } : plainInput(sent),
    streams: false,
  }
}

const NO_HOSTS: ReadonlyMap<string, string> = new Map()

/** All model APIs take a JSON object by POST. */
function modelOf(sent: SentRequest): ReadRequest | null {
  if (sent.method !== 'POST' || sent.body === null) return null
  return modelRequest(sent, () => jsonInText(textOf(sent.body!) ?? ''))
}
