import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'

export interface TokenCounts {
  readonly prompt_tokens: number | null
  readonly completion_tokens: number | null
  readonly total_tokens: number | null
}

/**
 * Token counts of a model's answer, where it says them: `usage` as OpenAI's chat completions (prompt/completion), OpenAI's
 * responses and Anthropic (input/output), and the `ai` package (inputTokens/outputTokens) have it; Google's
 * `usageMetadata`; Cohere's `usage.tokens`; Ollama among the members of the answer itself.
 */
export function tokenCounts(output: Json): TokenCounts {
  const answer = objectOf(output)
  const said = objectOf(answer.usage)
  const usage = { ...objectOf(said.tokens), ...said, ...objectOf(answer.usageMetadata) }
  const prompt = count(usage, ...PROMPT) ?? count(answer, 'prompt_eval_count')
  const completion = count(usage, ...COMPLETION) ?? count(answer, 'eval_count')
  const total = count(usage, 'total_tokens', 'totalTokens', 'totalTokenCount')
  const sum = prompt === null || completion === null ? null : prompt + completion
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total ?? sum }
}

const PROMPT = ['prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokenCount']
const COMPLETION = ['completion_tokens', 'output_tokens', 'outputTokens', 'candidatesTokenCount']

/** What a model's answer says that it cost, in US dollars, as OpenRouter does: prices of others are known to nobody here. */
export function costOf(output: Json): number | null {
  const { cost } = objectOf(objectOf(output).usage)
  return typeof cost === 'number' && cost >= 0 ? cost : null
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function count(usage: JsonObject, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = usage[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  }
  return null
}
