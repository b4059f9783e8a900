/** What agent code imports. Light: outside a recording and a replay every function here is the plain call. */
import { currentHost, enclosingHost } from './boundary/slot.ts'
import type { RecordOptions } from './run/record-run.ts'

export { type LlmRequest, llmRequest } from './boundary/llm-request.ts'
export type { Params } from './boundary/tool-input.ts'
export { type ToolOptions, traceTool } from './boundary/trace-tool.ts'
export { traceTools } from './boundary/trace-tools.ts'
export type { RecordOptions } from './run/record-run.ts'

/**
 * Calls `fn` and writes a bundle of every call it makes; resolves or rejects as it does. Inside a recording or a replay it
 * is transparent: one run. Throws BUNDLE_EXISTS and WRITE_FAILED before `fn` is called.
 */
export async function record<A extends readonly unknown[], R>(
  options: RecordOptions<A>,
  fn: (...args: A) => R,
): Promise<Awaited<R>> {
  if (enclosingHost() === null) {
    const { recordRun } = await import('./run/record-run.ts')
    return recordRun(options, fn as unknown as (...args: never[]) => R)
  }
  const args = options.args ?? ('input' in options ? [options.input] : [])
  return await fn(...(args as unknown as A))
}

/** The run's output, for a script, which returns nothing. Outside a recording and a replay it does nothing. */
export function setOutput(value: unknown): void {
  currentHost()?.setOutput(value)
}

/** Whether calls are recorded, answered from a recording, or neither. */
export function stepforkMode(): 'off' | 'record' | 'replay' {
  return currentHost()?.mode ?? 'off'
}
