/** Secrets in the text of an HTTP exchange, which is kept as it was sent but for them. */
import { isStepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Header } from './exchange.ts'
import { redact } from './redact.ts'
import { REDACTED } from './redact-text.ts'
import type { Redactor } from './redactor.ts'
import { isSecretName } from './secret-names.ts'
import { strongProfile } from './strong-profile.ts'

/**
 * The text of a body without its secrets, the very text when it has none. JSON, also on the `data:` lines of an event
 * stream and on lines of its own, is written again only where something was found; a form by its names; else by pattern.
 */
export function redactBody(text: string, contentType: string | null, redactor: Redactor): string {
  const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'text/event-stream') return byLine(text, /^data: ?/, redactor)
  if (/^application\/(?:x-ndjson|jsonl|json-lines|jsonlines)$/.test(type)) return byLine(text, /^/, redactor)
  if (type === 'application/x-www-form-urlencoded') return textOf(redactor.redact(redactQuery(text)).value)
  return redactJson(text, redactor) ?? textOf(redactor.redact(text).value)
}

/** The values of headers that carry credentials, whatever their form. */
export function redactHeaders(headers: readonly Header[]): readonly Header[] {
  if (!headers.some(isSecretHeader)) return headers
  return headers.map(header => (isSecretHeader(header) ? [header[0], REDACTED] : header))
}

/** A URL, or the path and query of one, without user, password and the values of secret parameters. */
export function redactUrl(text: string): string {
  return textOf(redact(withoutNamed(text), strongProfile).value)
}

function withoutNamed(text: string): string {
  const [, before = '', user, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#]*)@)?(.*)$/is.exec(text) ?? []
  const url = user === undefined ? text : `${before}${REDACTED}@${rest}`
  const at = url.indexOf('?')
  if (at === -1) return url
  const end = url.indexOf('#', at) === -1 ? url.length : url.indexOf('#', at)
  return url.slice(0, at + 1) + redactQuery(url.slice(at + 1, end)) + url.slice(end)
}

function byLine(text: string, begin: RegExp, redactor: Redactor): string {
  return text
    .split(/(?<=\r\n|[\r\n])/)
    .map(line => {
      const [before] = begin.exec(line) ?? [null]
      if (before === null) return textOf(redactor.redact(line).value)
      const [, json = '', end = ''] = /^([^\r\n]*)([\r\n]*)$/.exec(line.slice(before.length)) ?? []
      return before + (redactJson(json, redactor) ?? textOf(redactor.redact(json).value)) + end
    })
    .join('')
}

/** Null for what is no JSON object or list. */
function redactJson(text: string, redactor: Redactor): string | null {
  if (!/^\s*[[{]/.test(text)) return null
  let value: Json
  try {
    value = parseJson(text)
  } catch (error) {
    if (isStepforkError(error)) return null
    throw error
  }
  const { value: redacted, findings } = redactor.redact(value)
  return findings.length === 0 ? text : writeJson(redacted)
}

/** Parameters that sign a URL or carry a key, but are ordinary words elsewhere. */
const QUERY_SECRETS: ReadonlySet<string> = new Set(['key', 'sig', 'signature', 'auth', 'pass'])

function redactQuery(query: string): string {
  return query
    .split('&')
    .map(pair => {
      const at = pair.indexOf('=')
      const name = decoded(pair.slice(0, Math.max(at, 0)))
      const isSecret = isSecretName(name) || QUERY_SECRETS.has(name.toLowerCase())
      return at !== -1 && at + 1 < pair.length && isSecret ? `${pair.slice(0, at + 1)}${REDACTED}` : pair
    })
    .join('&')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function isSecretHeader([name, value]: Header): boolean {
  return value !== REDACTED && isSecretName(name)
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : writeJson(value)
}
