import { jsonInText } from '../json/parse-json.ts'
import type { ReadRequest, SentRequest } from '../trace/exchange.ts'
import { textOf } from './body-content.ts'
import { isTelemetry } from './is-telemetry.ts'
import { modelRequest } from './model-request.ts'
import { plainInput, plainName, type ServiceOf } from './plain-request.ts'

/**
 * What a request is: told by its path and body. A service whose address stands in an environment variable is called by
 * the variable's name (`${SHOP_API}`).
 */
export function readRequest(sent: SentRequest, serviceOf: ServiceOf = () => null): ReadRequest {
  const telemetry = isTelemetry(sent)
  const model = telemetry ? null : modelOf(sent)
  if (model !== null) return model
  return {
    kind: telemetry ? 'telemetry' : 'plain',
    target: { kind: 'tool', name: plainName(sent, serviceOf) },
    dialect: null,
    input: telemetry ? { path: sent.url.pathname } : plainInput(sent),
    streams: false,
  }
}

/** All model APIs take a JSON object by POST. */
function modelOf(sent: SentRequest): ReadRequest | null {
  if (sent.method !== 'POST' || sent.body === null) return null
  return modelRequest(sent, () => jsonInText(textOf(sent.body!) ?? ''))
}
