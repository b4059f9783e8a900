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
): NodeJS.ProcessEnv {
  const keys = Object.fromEntries(KEYS.filter(key => !own[key]).map(key => [key, PLACEHOLDER]))
  return { ...own, ...keys, ...asRecorded(recorded) }
}

function asRecorded(recorded: OriginHeader['environment'] | null): NodeJS.ProcessEnv {
  if (recorded === null) return {}
  return {
    ...(recorded.tz !== null && { TZ: recorded.tz }),
    ...(recorded.locale !== null && { LC_ALL: recorded.locale, LANG: recorded.locale }),
    ...(recorded.node_env !== null && { NODE_ENV: recorded.node_env }),
  }
}
