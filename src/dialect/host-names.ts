/**
 * Hosts that the agent gets from its environment. Another port or host in the next run is then the same target: a plain
 * call is named by the variable, `http GET ${SEARCH_URL}`.
 */

/** From `host:port` to the name of the variable. */
export type HostNames = ReadonlyMap<string, string>

/** Of two variables with the same host the first by name counts, so that it is the same one in every run. */
export function hostNames(environment: { readonly [name: string]: string | undefined }): HostNames {
  const names = new Map<string, string>()
  for (const name of Object.keys(environment).sort()) {
    const host = NOT_A_TARGET.test(name) ? null : hostIn(environment[name] ?? '')
    if (host !== null && !names.has(host)) names.set(host, name)
  }
  return names
}

/** `host:port`, the port also where it is the scheme's own. */
export function hostKey({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`
}

/** Proxies are passed through, and what npm sets is about packages. */
const NOT_A_TARGET = /_proxy$|^npm_/i

function hostIn(value: string): string | null {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return null
  return hostKey(new URL(value))
}
