import { StepforkError } from '../errors.ts'
import type { ErrorClass } from '../json/rebuild-error.ts'
import type { ReplayPolicy } from '../trace/bundle.ts'
import { cross, declaredShape } from './cross.ts'
import { type Params, toolInput } from './tool-input.ts'

export interface ToolOptions<R = unknown> {
  /** Names of positional parameters, with defaults if they have any: gives the input a Python tool would have. */
  readonly params?: Params
  /** Turns a result that is not JSON into what is recorded; `decode` turns it back for the agent in a replay. */
  readonly encode?: (result: Awaited<R>) => unknown
  readonly decode?: (recorded: unknown) => Awaited<R>
  /** Classes that a recorded failure is made an instance of when its name fits. */
  readonly errors?: readonly ErrorClass[]
  /** Recorded with the call: `forbidden` and `manual` calls are refused in a replay. Default `frozen`. */
  readonly policy?: ReplayPolicy
  /** `any`: a replay compares what it is called with, but not when: its calls are never held and hold nothing back. */
  readonly order?: 'any'
}

const WRAPPED = Symbol.for('stepfork.wrapped')

/** `never`, not `any`: parameters that a tool leaves without a type are then told by their defaults. */
type AnyFunction = (...args: never[]) => unknown

/**
 * Wraps a tool so that a recording sees its calls and a replay answers them. Returns a function of the same type: a
 * synchronous one stays synchronous. Outside a recording and a replay it is the plain call. Wrapping twice is nothing.
 * Throws TOOL_SHAPE for a generator function that is not async.
 */
export function traceTool<F extends AnyFunction>(
  name: string,
  fn: F,
  options: ToolOptions<ReturnType<F>> = {},
): F {
  return wrapTool(name, fn, options, args => toolInput(args, options.params))
}

/** As traceTool, with the caller's own way from arguments to input. */
export function wrapTool<F extends AnyFunction>(
  name: string,
  fn: F,
  options: ToolOptions<ReturnType<F>>,
  inputOf: (args: readonly unknown[]) => { readonly input: unknown; readonly signal: AbortSignal | null },
): F {
  if (isWrapped(fn)) return fn
  refuseGenerator(name, fn)
  const declared = declaredShape(fn)
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    return cross({
      target: { kind: 'tool', name },
      ...inputOf(args),
      declared,
      body: () => fn.apply(this, args as never[]),
      encode: (options.encode as ((result: unknown) => unknown) | undefined) ?? null,
      decode: options.decode ?? null,
      errors: options.errors ?? [],
      policy: options.policy ?? 'frozen',
      ...(options.order !== undefined && { order: options.order }),
      entry: wrapped,
    })
  }
  // Its name, its length, and what else hangs on it: a schema, a description.
  Object.defineProperties(wrapped, ownMembers(fn))
  Object.defineProperty(wrapped, WRAPPED, { value: true })
  return wrapped as unknown as F
}

function ownMembers(fn: AnyFunction): PropertyDescriptorMap {
  const {
    prototype,
    arguments: _,
    caller,
    ...members
  } = Object.getOwnPropertyDescriptors(fn) as PropertyDescriptorMap
  return members
}

/** Its values are taken without waiting, one at a time: a replay could not hold them back. */
function refuseGenerator(name: string, fn: AnyFunction): void {
  if (Object.prototype.toString.call(fn) !== '[object GeneratorFunction]') return
  throw new StepforkError(
    'TOOL_SHAPE',
    `${name} is a generator function, which cannot be recorded`,
    'Make it an async generator (async function*), or return a list.',
  )
}

function isWrapped(fn: AnyFunction): boolean {
  return (fn as { [WRAPPED]?: boolean })[WRAPPED] === true
}
