import type { Target } from '../trace/call.ts'

/** Kind and name as one text: two calls with the same identity ask the same tool or model. */
export function identityOf(target: Target): string {
  if (target.kind === 'tool') return `tool ${target.name}`
  return `llm ${target.provider ?? ''}\n${target.model}`
}

/** What a person calls it: the tool's name, `provider/model`, or the model alone. */
export function labelOf(target: Target): string {
  if (target.kind === 'tool') return target.name
  return target.provider === null ? target.model : `${target.provider}/${target.model}`
}
