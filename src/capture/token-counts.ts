import { isJsonObject, type Json } from '../json/value.ts'

export interface TokenCounts {
  readonly prompt_tokens: number | null
  readonly completion_tokens: number | null
  readonly total_tokens: number | null
}

/**
 * Token counts of a model's answer, where it says them: `usage` as OpenAI's chat completions (prompt/completion), OpenAI's
 * responses and Anthropic (input/output), and the `ai` package (inputTokens/outputTokens) have it.
 */
export function tokenCounts(output: Json): TokenCounts {
  const usage =
    isJsonObject(output) && isJsonObject(output.usage ?? null)
      ? (output.usage as { [name: string]: Json })
      : {}
  const prompt = count(usage, 'prompt_tokens', 'input_tokens', 'inputTokens')
  const completion = count(usage, 'completion_tokens', 'output_tokens', 'outputTokens')
  const total = count(usage, 'total_tokens', 'totalTokens')
  const sum = prompt === null || completion === null ? null : prompt + completion
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total ?? sum }
}

function count(usage: { readonly [name: string]: Json }, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = usage[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  }
  return null
}
