import { closeSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../json/parse-json.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { SIDECAR } from '../trace/integrity.ts'
import type { Issue } from '../trace/issue.ts'
import type { KnownSecret } from '../trace/known-secrets.ts'
import { secretFinder } from '../trace/secret-finder.ts'
import { openBundleFile, readBundleFile } from './bundle-files.ts'
import { readLines } from './lines.ts'

/** What looks like a secret in the files of a bundle that can be read: where, and of what kind; nothing of the secret itself. */
export function scanSecrets(path: string, known: readonly KnownSecret[]): Issue[] {
  const find = secretFinder(known)
  const issuesIn = (value: Json, file: string, line: number | null): Issue[] =>
    find(value).map(({ path: pointer, kinds }) => ({
      code: 'secret_found',
      message: `${kinds.join(', ')}, at ${pointer === '' ? 'the whole of it' : pointer}`,
      event_id: null,
      step: stepOf(value),
      location: join(path, file) + (line === null ? '' : `:${line}`),
    }))
  return readdirSync(path)
    .filter(name => FILES.includes(name) || SIDECAR.test(name))
    .sort()
    .flatMap(name => {
      if (name.endsWith('.json'))
        return issuesIn(parseJson(readBundleFile(path, name)!.toString()), name, null)
      return linesOf(path, name).flatMap(({ value, line }) => issuesIn(value, name, line))
    })
}

const FILES: readonly string[] = ['manifest.json', 'events.jsonl', 'redactions.json']

function linesOf(path: string, name: string): { readonly value: Json; readonly line: number }[] {
  const fd = openBundleFile(path, name)
  if (fd === null) return []
  try {
    // The bundle was read before: its lines are lines.
    const lines = [...readLines(fd, { onFault: () => undefined as never })]
    return lines.map(({ text, number }) => ({ value: parseJson(text), line: number }))
  } finally {
    closeSync(fd)
  }
}

function stepOf(value: Json): number | null {
  return isJsonObject(value) && typeof value.step === 'number' ? value.step : null
}
