import { StepforkError } from '../errors.ts'
import { toolInput } from './tool-input.ts'
import { type ToolOptions, traceTool, wrapTool } from './trace-tool.ts'

/**
 * Wraps a set of tools in place: a record of them by name, an array, or one. Plain functions are replaced in the record (an
 * array, or a single one, is returned anew); tools of the `ai` package are wrapped at their `execute`, of which only the first
 * argument is recorded. Throws TOOL_SHAPE for an object it does not know.
 */
export function traceTools<T>(tools: T, options: ToolOptions = {}): T {
  if (typeof tools === 'function') return wrapListed(tools, 'a single function', options) as T
  if (Array.isArray(tools))
    return tools.map((tool, index) => wrapListed(tool, `the tool at index ${index}`, options)) as T
  if (typeof tools !== 'object' || tools === null) throw unknownShape('the argument of traceTools', tools)
  if (hasExecute(tools)) return wrapListed(tools, 'a single tool', options) as T
  for (const [name, tool] of Object.entries(tools)) {
    const wrapped = wrapNamed(name, tool, options)
    if (wrapped !== tool) (tools as { [name: string]: unknown })[name] = wrapped
  }
  return tools
}

function wrapListed(tool: unknown, what: string, options: ToolOptions): unknown {
  const name = typeof tool === 'function' ? tool.name : nameOf(tool)
  if (name === '') throw unknownShape(`${what}, which has no name`, tool)
  return wrapNamed(name, tool, options)
}

function wrapNamed(name: string, tool: unknown, options: ToolOptions): unknown {
  if (typeof tool === 'function') return traceTool(name, tool as (...args: unknown[]) => unknown, options)
  if (isRunElsewhere(tool)) return tool
  if (!hasExecute(tool)) throw unknownShape(name, tool)
  tool.execute = wrapTool(name, tool.execute, options, args => ({
    input: toolInput(args.slice(0, 1), options.params).input,
    signal: signalOf(args[1]),
  }))
  return tool
}

interface ExecutableTool {
  execute: (...args: unknown[]) => unknown
}

function hasExecute(tool: unknown): tool is ExecutableTool {
  return typeof tool === 'object' && tool !== null && typeof (tool as ExecutableTool).execute === 'function'
}

/** A tool of `ai` that the model's provider, or a person, answers: there is nothing of it in this process. */
function isRunElsewhere(tool: unknown): boolean {
  return typeof tool === 'object' && tool !== null && 'inputSchema' in tool && !('execute' in tool)
}

function nameOf(tool: unknown): string {
  const { name, id } = (tool ?? {}) as { name?: unknown; id?: unknown }
  return typeof name === 'string' ? name : typeof id === 'string' ? id : ''
}

/** `ai` passes `{ abortSignal }` in the second argument of `execute`. */
function signalOf(context: unknown): AbortSignal | null {
  const signal = (context as { abortSignal?: unknown } | undefined)?.abortSignal
  return signal instanceof AbortSignal ? signal : null
}

function unknownShape(what: string, tool: unknown): StepforkError {
  const members =
    typeof tool === 'object' && tool !== null ? Object.keys(tool).slice(0, 8).join(', ') : typeof tool
  return new StepforkError(
    'TOOL_SHAPE',
    `traceTools does not know the shape of ${what} (${members || 'no members'})`,
    'Wrap the function that does the work: traceTool(name, fn).',
  )
}
