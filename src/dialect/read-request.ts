import { jsonInText } from '../json/parse-json.ts'
import type { ReadRequest, SentRequest } from '../trace/exchange.ts'
import { textOf } from './body-content.ts'
import type { HostNames } from './host-names.ts'
import { isTelemetry } from './is-telemetry.ts'
import { modelRequest } from './model-request.ts'
import { plainInput, plainName } from './plain-request.ts'

/** What a request is: told by its path and body; `hosts` are those that the environment names. */
export function readRequest(sent: SentRequest, hosts: HostNames | null = null): ReadRequest {
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

/** All model APIs take a JSON object by POST. */
function modelOf(sent: SentRequest): ReadRequest | null {
  if (sent.method !== 'POST' || sent.body === null) return null
  return modelRequest(sent, () => jsonInText(textOf(sent.body!) ?? ''))
}
