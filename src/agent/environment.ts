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

const PLACEHOLDER = 'stepfork-placeholder-key'

export function replayEnvironment(
  own: NodeJS.ProcessEnv,
  recorded: OriginHeader['environment'] | null,
  /** Nothing can leave the process: addresses from a recording, which may come from anybody, get no key and no data. */
  isClosed: boolean,
): NodeJS.ProcessEnv {
  const keys = Object.fromEntries(KEYS.filter(key => !own[key]).map(key => [key, PLACEHOLDER]))
  return { ...own, ...(isClosed && servicesOf(own, recorded)), ...keys, ...asRecorded(recorded) }
}

/**
 * Addresses that the recording used are needed where none is set now. Those of model providers are as recorded in any case:
 * the path before the API's own is part of them.
 */
function servicesOf(own: NodeJS.ProcessEnv, recorded: OriginHeader['environment'] | null): NodeJS.ProcessEnv {
  const services = Object.entries(recorded?.services ?? {})
  const needed = services.filter(([name]) => !own[name] || name.endsWith('_BASE_URL'))
  return Object.fromEntries(needed)
}

function asRecorded(recorded: OriginHeader['environment'] | null): NodeJS.ProcessEnv {
  if (recorded === null) return {}
  return {
    ...(recorded.tz !== null && { TZ: recorded.tz }),
    ...(recorded.locale !== null && { LC_ALL: recorded.locale, LANG: recorded.locale }),
    ...(recorded.node_env !== null && { NODE_ENV: recorded.node_env }),
  }
}
