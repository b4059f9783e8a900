/** Named parameters: their names in order, or names with defaults (`undefined`: no default). */
export type Params = readonly string[] | { readonly [name: string]: unknown }

export interface ToolInput {
  readonly input: unknown
  readonly signal: AbortSignal | null
}

/**
 * The recorded input of a tool: its single plain-object argument as it is; with `params`, an object of the named arguments,
 * defaults filled in; no argument, `{}`; anything else, `{ "args": […] }`. An AbortSignal is no input: it is taken out
 * first. Nor is an argument that was left out at the end: `f(1, undefined)` is `f(1)`.
 */
export function toolInput(args: readonly unknown[], params: Params | undefined): ToolInput {
  const signal = args.flatMap(signalsIn)[0] ?? null
  return { input: params === undefined ? plainInput(args) : namedInput(args, params), signal }
}

function plainInput(args: readonly unknown[]): object {
  const given = args.filter(arg => !isSignal(arg)).map(withoutSignals)
  const count = given.findLastIndex(arg => arg !== undefined) + 1
  if (count === 0) return {}
  const [only] = given
  return count === 1 && isPlainObject(only) ? only : { args: given.slice(0, count) }
}

function namedInput(args: readonly unknown[], params: Params): object {
  const named = namesOf(params).map(
    ([name, byDefault], index) => [name, args[index] === undefined ? byDefault : args[index]] as const,
  )
  return Object.fromEntries(
    named.filter(([, arg]) => !isSignal(arg)).map(([name, arg]) => [name, withoutSignals(arg)]),
  )
}

function namesOf(params: Params): readonly (readonly [name: string, byDefault: unknown])[] {
  return isNameList(params) ? params.map(name => [name, undefined]) : Object.entries(params)
}

function isNameList(params: Params): params is readonly string[] {
  return Array.isArray(params)
}

/** A copy of an object of options without its signals; anything else as it is. */
function withoutSignals(value: unknown): unknown {
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value)
  return entries.some(([, member]) => isSignal(member))
    ? Object.fromEntries(entries.filter(([, member]) => !isSignal(member)))
    : value
}

function signalsIn(arg: unknown): AbortSignal[] {
  if (isSignal(arg)) return [arg]
  return isPlainObject(arg) ? Object.values(arg).filter(isSignal) : []
}

function isSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}
