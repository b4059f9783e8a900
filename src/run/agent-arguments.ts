/**
 * What an agent's function is called with: the recorded input as its one argument. `{"args": […]}`, as `record({ args })`
 * writes it, is spread again; null and undefined are no argument.
 */
export function agentArguments(input: unknown): readonly unknown[] {
  if (input === null || input === undefined) return []
  return isArgumentList(input) ? input.args : [input]
}

function isArgumentList(input: unknown): input is { readonly args: readonly unknown[] } {
  if (typeof input !== 'object' || input === null || Object.keys(input).length !== 1) return false
  return Array.isArray((input as { args?: unknown }).args)
}
