import { closeSync, readSync } from 'node:fs'
import { parseJson } from '../json/parse-json.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import type { OriginHeader } from '../trace/origin.ts'
import { openBundleFile } from './bundle-files.ts'

/** A header is far shorter; what is longer is left to the reader. */
const MOST_BYTES = 16 * 1024

/**
 * Zone, locale and the like from the first line of `x-origin.jsonl`, before the bundle is read and checked: the agent's
 * process starts meanwhile and must have them from its first moment. Null when there is nothing of the kind; never throws.
 */
export function peekEnvironment(bundlePath: string): OriginHeader['environment'] | null {
  const line = firstLine(bundlePath)
  if (line === null) return null
  try {
    const header = parseJson(line)
    const environment = isJsonObject(header) ? (header.environment ?? null) : null
    return isJsonObject(environment)
      ? {
          tz: textOr(environment.tz),
          locale: textOr(environment.locale),
          node_env: textOr(environment.node_env),
          services: servicesOf(environment.services),
        }
      : null
  } catch {
    return null
  }
}

function firstLine(bundlePath: string): string | null {
  try {
    const fd = openBundleFile(bundlePath, 'x-origin.jsonl')
    if (fd === null) return null
    try {
      const bytes = Buffer.alloc(MOST_BYTES)
      const text = bytes.toString('utf8', 0, readSync(fd, bytes))
      return text.includes('\n') ? text.slice(0, text.indexOf('\n')) : null
    } finally {
      closeSync(fd)
    }
  } catch {
    return null
  }
}

/** A recording may come from anybody: only addresses, and no variable by which Node or a loader is told what to do. */
function servicesOf(given: Json | undefined): { [name: string]: string } {
  if (!isJsonObject(given ?? null)) return {}
  const isAddress = (value: Json): boolean => typeof value === 'string' && /^https?:\/\/[!-~]+$/.test(value)
  const isName = (name: string): boolean =>
    /^[A-Za-z_]\w*$/.test(name) && !/^(NODE|LD|DYLD|npm|GIT)_|PROXY|PATH$|OPTIONS$/i.test(name)
  const entries = Object.entries(given as { readonly [name: string]: Json })
  return Object.fromEntries(entries.filter(([name, value]) => isName(name) && isAddress(value))) as {
    [name: string]: string
  }
}

/** A NUL cannot stand in an environment variable. */
function textOr(value: Json | undefined): string | null {
  return typeof value === 'string' && !value.includes('\0') ? value : null
}
