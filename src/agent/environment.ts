/** The environment of the agent's process: the user's own, placeholder keys where none is set, time zone and locale as recorded. */
import type { OriginHeader } from '../trace/origin.ts'

/** Keys that SDKs insist on when a client is made, though a replay never uses them. */
const KEYS = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_API_KEY',
  'GEMINI_API_KEY',
  'MISTRAL_API_KEY',
  'GROQ_API_KEY',
  'COHERE_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
]

type Service = readonly [variable: string, address: string]

const PLACEHOLDER = 'stepfork-placeholder-key'

export function replayEnvironment(
  own: NodeJS.ProcessEnv,
  recorded: OriginHeader['environment'] | null,
  /** Nothing can leave the process. */
  isClosed: boolean,
): NodeJS.ProcessEnv {
  const keys = Object.fromEntries(KEYS.filter(key => !own[key]).map(key => [key, PLACEHOLDER]))
  const services = Object.entries(recorded?.services ?? {})
  const addresses = isClosed ? recordedAddresses(own, services) : standIns(own, services)
  return { ...own, ...addresses, ...keys, ...asRecorded(recorded) }
}

/**
 * Addresses that the recording used are needed where none is set now. Those of model providers are as recorded in any case:
 * the path before the API's own is part of them.
 */
function recordedAddresses(own: NodeJS.ProcessEnv, services: readonly Service[]): NodeJS.ProcessEnv {
  const needed = services.filter(([name]) => !own[name] || name.endsWith('_BASE_URL'))
  return Object.fromEntries(needed)
}

/**
 * A recording may come from anybody: where calls may run for real, its addresses would get keys and data. A service that is not
 * set has one then that leads nowhere, for its calls that are answered from the recording. A model's SDK has its own.
 */
function standIns(own: NodeJS.ProcessEnv, services: readonly Service[]): NodeJS.ProcessEnv {
  const needed = services.filter(([name]) => !own[name] && !name.endsWith('_BASE_URL'))
  return Object.fromEntries(needed.map(([name, address]) => [name, nowhere(name, address)]))
}

function nowhere(name: string, address: string): string {
  const host = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return address.replace(/^https?:\/\/[^/]*/, `http://${host}.invalid`)
}

function asRecorded(recorded: OriginHeader['environment'] | null): NodeJS.ProcessEnv {
  if (recorded === null) return {}
  return {
    ...(recorded.tz !== null && { TZ: recorded.tz }),
    ...(recorded.locale !== null && { LC_ALL: recorded.locale, LANG: recorded.locale }),
    ...(recorded.node_env !== null && { NODE_ENV: recorded.node_env }),
  }
}
