/** Secrets that are known by their value: what the process's own environment variables hold. */
import type { SecretPattern } from './redaction-profile.ts'
import { isNoSecret, isSecretName } from './secret-names.ts'

export interface KnownSecret {
  /** The environment variable that holds it; null: it stood under the name of a secret, somewhere in this run. */
  readonly name: string | null
  readonly value: string
}

/** Of a shorter one the text of an agent would be full. */
const SHORTEST = 8

/** By the names of the variables. What is no secret by its looks (a path, a word such as `development`) is left out. */
export function secretsOf(environment: { readonly [name: string]: string | undefined }): KnownSecret[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    isSecretVariable(name) && isSecretValue(value) ? [{ name, value }] : [],
  )
}

function isSecretVariable(name: string): boolean {
  return isSecretName(name) || (/_(?:KEY|PASS|AUTH|DSN)$/i.test(name) && !/PUBLIC/i.test(name))
}

function isSecretValue(value: string): boolean {
  return value.length >= SHORTEST && !isNoSecret(value) && !/^(?:[~.]{0,2}\/|[A-Z]:\\|file:)/i.test(value)
}

/** What stood under a telling name is looked for everywhere from then on, if nobody would write it by chance. */
export function isWorthLearning(secret: string): boolean {
  return isSecretValue(secret) && secret.length <= 4096 && /\d/.test(secret) && /[A-Za-z]/.test(secret)
}

/** Finds the values as they are, and as they stand in URLs and in JSON. Null when there are none. */
export function patternOf(secrets: readonly KnownSecret[]): SecretPattern | null {
  if (secrets.length === 0) return null
  const forms = [...new Set(secrets.flatMap(({ value }) => writtenForms(value)))]
  // The longest first: one secret may be the beginning of another.
  forms.sort((a, b) => b.length - a.length)
  const nameOf = (secret: string): string | null =>
    secrets.find(({ value }) => writtenForms(value).includes(secret))?.name ?? null
  return {
    regex: new RegExp(`()(?:${forms.map(escaped).join('|')})`, 'g'),
    kind: secret => {
      const name = nameOf(secret)
      return name === null ? 'secret of another place' : `value of the environment variable ${name}`
    },
  }
}

export function writtenForms(value: string): string[] {
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encoded(value),
    encoded(value).replaceAll('%20', '+'),
  ]
  return [...new Set([...forms, btoa(String.fromCharCode(...new TextEncoder().encode(value)))])]
}

function encoded(value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    return value
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
