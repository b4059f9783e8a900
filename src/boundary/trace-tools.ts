import { StepforkError } from '../errors.ts'
import { type AnyFunction, isRunElsewhere, shapeOf } from './tool-shapes.ts'
import { type ToolOptions, traceTool, wrapTool } from './trace-tool.ts'

/**
 * Wraps a set of tools in place: a record of them by name, an array, or one. Plain functions are replaced in the record (an
 * array, or a single one, is returned anew); tools of `ai`, LangChain, `@openai/agents` and Mastra are wrapped where they do
 * their work, and only their input is recorded. Throws TOOL_SHAPE for an object it does not know.
 */
export function traceTools<T>(tools: T, options: ToolOptions = {}): T {
  if (typeof tools === 'function') return wrapListed(tools, 'a single function', options) as T
  if (Array.isArray(tools))
    return tools.map((tool, index) => wrapListed(tool, `the tool at index ${index}`, options)) as T
  if (typeof tools !== 'object' || tools === null) throw unknownShape('the argument of traceTools', tools)
  if (shapeOf(tools) !== null) return wrapListed(tools, 'a single tool', options) as T
  for (const [name, tool] of Object.entries(tools)) {
    const wrapped = wrapNamed(name, tool, options)
    if (wrapped !== tool) (tools as { [name: string]: unknown })[name] = wrapped
  }
  return tools
}

function wrapListed(tool: unknown, what: string, options: ToolOptions): unknown {
  if (isRunElsewhere(tool)) return tool
  const name = typeof tool === 'function' ? tool.name : nameOf(tool)
  if (name === '') throw unknownShape(`${what}, which has no name`, tool)
  return wrapNamed(name, tool, options)
}

function wrapNamed(place: string, tool: unknown, options: ToolOptions): unknown {
  if (typeof tool === 'function') return traceTool(place, tool as AnyFunction, options)
  if (isRunElsewhere(tool)) return tool
  const shape = shapeOf(tool)
  if (shape === null) throw unknownShape(place, tool)
  const { member, inputOf } = shape
  const own = tool as { [name: string]: AnyFunction }
  const name = (shape.isNamedByItself && nameOf(tool)) || place
  own[member] = wrapTool(name, own[member]!, options, args => inputOf(args, options.params))
  return tool
}

function nameOf(tool: unknown): string {
  const { name, id } = (tool ?? {}) as { name?: unknown; id?: unknown }
  return typeof name === 'string' ? name : typeof id === 'string' ? id : ''
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
