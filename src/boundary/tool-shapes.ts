/** Where the tools of each framework do their work: the member to wrap, and what of its arguments is the tool's input. */
import type { Params } from './tool-input.ts'
import { toolInput } from './tool-input.ts'

export type AnyFunction = (...args: unknown[]) => unknown

export interface ToolShape {
  readonly member: 'execute' | '_call' | 'invoke'
  /** The tool's own name goes before that of its place in a record. */
  readonly isNamedByItself: boolean
  /** What a framework passes beside the input is never recorded; of it only the signal is honoured. */
  readonly inputOf: (args: readonly unknown[], params: Params | undefined) => CalledWith
}

export interface CalledWith {
  readonly input: unknown
  readonly signal: AbortSignal | null
}

/** `ai`, Mastra: `execute(input, { abortSignal })`. */
const EXECUTE: ToolShape = {
  member: 'execute',
  isNamedByItself: false,
  inputOf: ([input, context], params) => calledWith(input, signalIn(context, 'abortSignal'), params),
}

/** LangChain: `_call(input, runManager, config)`, behind the check against the schema, callbacks and formatting. */
const CALL: ToolShape = {
  member: '_call',
  isNamedByItself: true,
  inputOf: ([input, , config], params) => calledWith(input, signalIn(config, 'signal'), params),
}

/** `@openai/agents`: `invoke(context, json, { signal })`. */
const INVOKE: ToolShape = {
  member: 'invoke',
  isNamedByItself: true,
  inputOf: ([, input, details], params) => calledWith(parsed(input), signalIn(details, 'signal'), params),
}

/** Null for what is no tool that is known. */
export function shapeOf(tool: unknown): ToolShape | null {
  if (isFunctionIn(tool, '_call') && isFunctionIn(tool, 'invoke')) return CALL
  if (isFunctionIn(tool, 'invoke') && (tool as { type?: unknown }).type === 'function') return INVOKE
  return isFunctionIn(tool, 'execute') ? EXECUTE : null
}

/** A tool that the model's provider, or a person, answers: there is nothing of it in this process. */
export function isRunElsewhere(tool: unknown): boolean {
  if (typeof tool !== 'object' || tool === null) return false
  return (
    ('inputSchema' in tool && !('execute' in tool)) || (tool as { type?: unknown }).type === 'hosted_tool'
  )
}

function isFunctionIn(tool: unknown, member: string): boolean {
  return (
    typeof tool === 'object' &&
    tool !== null &&
    typeof (tool as { [name: string]: unknown })[member] === 'function'
  )
}

function calledWith(input: unknown, signal: AbortSignal | null, params: Params | undefined): CalledWith {
  return { input: toolInput([input], params).input, signal }
}

function signalIn(context: unknown, member: string): AbortSignal | null {
  const signal = (context as { [name: string]: unknown } | null | undefined)?.[member]
  return signal instanceof AbortSignal ? signal : null
}

/** The arguments as the model wrote them; what is no JSON stands as it is. */
function parsed(input: unknown): unknown {
  try {
    return typeof input === 'string' ? JSON.parse(input) : input
  } catch {
    return input
  }
}
