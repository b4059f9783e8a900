/** What agent code imports. Light: outside a recording and a replay every function here is the plain call. */
import { currentHost } from './boundary/slot.ts'

export { type LlmRequest, llmRequest } from './boundary/llm-request.ts'
export type { Params } from './boundary/tool-input.ts'
export { type ToolOptions, traceTool } from './boundary/trace-tool.ts'
export { traceTools } from './boundary/trace-tools.ts'

/** The run's output, for a script, which returns nothing. Outside a recording and a replay it does nothing. */
export function setOutput(value: unknown): void {
  currentHost()?.setOutput(value)
}

/** Whether calls are recorded, answered from a recording, or neither. */
export function stepforkMode(): 'off' | 'record' | 'replay' {
  return currentHost()?.mode ?? 'off'
}
