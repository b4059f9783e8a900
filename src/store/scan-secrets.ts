import { closeSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isStepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { SIDECAR } from '../trace/integrity.ts'
import type { Issue } from '../trace/issue.ts'
import type { KnownSecret } from '../trace/known-secrets.ts'
import { secretFinder } from '../trace/secret-finder.ts'
import { openBundleFile, readBundleFile } from './bundle-files.ts'
import { type Line, readLines } from './lines.ts'
import { refuseLine } from './scan-events.ts'

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
        return issuesIn(parsedOrText(readBundleFile(path, name)!.toString()), name, null)
      const issues: Issue[] = []
      for (const { text, number } of linesOf(path, name))
        issues.push(...issuesIn(parsedOrText(text), name, number))
      return issues
    })
}

const FILES: readonly string[] = ['manifest.json', 'events.jsonl', 'redactions.json']

function* linesOf(path: string, name: string): Generator<Line> {
  const fd = openBundleFile(path, name)
  if (fd === null) return
  try {
    yield* readLines(fd, { onFault: fault => refuseLine(join(path, name), fault) })
  } finally {
    closeSync(fd)
  }
}

/** A sidecar of others may hold anything. */
function parsedOrText(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    if (!isStepforkError(error)) throw error
    return text
  }
}

function stepOf(value: Json): number | null {
  return isJsonObject(value) && typeof value.step === 'number' ? value.step : null
}
