/** Named parameters: their names in order, or names with defaults (`undefined`: no default). */
export type Params = readonly string[] | { readonly [name: string]: unknown }

export interface ToolInput {
  readonly input: unknown
  readonly signal: AbortSignal | null
}

/**
 * The recorded input of a tool: its single plain-object argument as it is; with `params`, an object of the named arguments,
 * defaults filled in; no argument, `{}`; anything else, `{ "args": […] }`. An AbortSignal is no input: it is taken out.
 */
export function toolInput(args: readonly unknown[], params: Params | undefined): ToolInput {
  const signal = args.flatMap(signalsIn)[0] ?? null
  if (params !== undefined) return { input: namedInput(args, params), signal }
  if (args.length === 0) return { input: {}, signal }
  if (args.length === 1 && isPlainObject(args[0])) return { input: withoutSignals(args[0]), signal }
  return { input: { args: args.filter(arg => !isSignal(arg)) }, signal }
}

function namedInput(args: readonly unknown[], params: Params): object {
  const names = Array.isArray(params) ? (params as readonly string[]) : Object.keys(params)
  const defaults = Array.isArray(params) ? {} : (params as { readonly [name: string]: unknown })
  const named = names.map(
    (name, index) => [name, args[index] === undefined ? defaults[name] : args[index]] as const,
  )
  return withoutSignals(Object.fromEntries(named))
}

function withoutSignals(value: object): object {
  const entries = Object.entries(value)
  return entries.some(([, member]) => isSignal(member))
    ? Object.fromEntries(entries.filter(([, m]) => !isSignal(m)))
    : value
}

function signalsIn(arg: unknown): AbortSignal[] {
  if (isSignal(arg)) return [arg]
  return isPlainObject(arg) ? Object.values(arg).filter(isSignal) : []
}

function isSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal
}

export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}
