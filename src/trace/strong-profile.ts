/**
 * The redaction of what stepfork records: finds what the compatible profile finds, keys and tokens of more vendors, and
 * secrets by the name that stands before them, also inside texts; and leaves prose alone that only speaks of them.
 */
import { drawnRuns } from './drawn-runs.ts'
import type { Found, RedactionProfile } from './redaction-profile.ts'
import { isNoSecret, isSecretMember, isSecretName } from './secret-names.ts'
import { KEY_SHAPES } from './strong-patterns.ts'

/** A key glued to a letter that is not ASCII is one, too. */
const WORD_BEGINS = '(?<![A-Za-z0-9_])'

/** Words before a token in an `Authorization` header. */
const SCHEME = '(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|JWT)[ \\t]{1,4})?'

/** How all names end after which something is looked for. */
const NAME_ENDS =
  'token|secrets?|passw(?:or)?d|pwd|pass(?:phrase|code)?|key(?:[_-]?id)?|jwt|pat|credentials?|authorization|cookies?2?|sig(?:nature)?|code|auth'

const NAME = '(?<![A-Za-z0-9_.])([A-Za-z][A-Za-z0-9_.-]{1,63})'

const UNQUOTED = '[^\\s"\'\\\\,<>()[\\]{}|`]{6,}'

const NAMED = new RegExp(`(?:${NAME_ENDS})["'\\\\]{0,4}\\s{0,8}[=:]`, 'i')
const IN_URL = /:\/\/[^\s/@]{1,300}@/
const HINT = new RegExp(`${NAMED.source}|://[^\\s/@]{1,300}@|bearer\\s|basic\\s|--[a-z]|-u |--user`, 'i')

export const strongProfile: RedactionProfile = {
  name: 'strong',
  isSecretMember,
  mayHold: text => drawnRuns(text).length > 0 || HINT.test(text),
  patterns: [
    {
      regex:
        /()-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s:,.()\\]*(?:-(?!----)[A-Za-z0-9+/=\s:,.()\\]*){0,200}(?:-----END [A-Z0-9 ]{0,60}-----)?/g,
      needs: /-----BEGIN/,
      kind: () => 'private key',
      accepts: ({ secret }) => /[A-Za-z0-9+/]{24}/.test(secret),
    },
    {
      regex: new RegExp(`()${WORD_BEGINS}(?:${KEY_SHAPES.map(([, shape]) => shape).join('|')})`, 'g'),
      within: drawnRuns,
      kind: shapeOf,
      accepts: ({ secret }) => (secret.startsWith('sk-') ? isModelKey(secret) : looksDrawn(secret)),
    },
    {
      regex: /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@?#"'<>\\]{0,100}:)[^\s/@?#"'<>\\]{1,200}(?=@)/gi,
      needs: IN_URL,
      kind: () => 'password in a URL',
      accepts: ({ secret }) => !isNoSecret(secret) || !/^[<{$%*]/.test(secret),
    },
    {
      regex: /([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@?#"'<>\\]{16,200}(?=(?::x-oauth-basic)?@)/gi,
      needs: IN_URL,
      kind: () => 'token in a URL',
      accepts: ({ secret }) => /\d/.test(secret),
    },
    {
      regex: /(?<![A-Za-z0-9_])(bearer\s{1,8})[A-Za-z0-9._~+/=-]{6,}/gi,
      kind: () => 'bearer token',
      accepts: isBearer,
    },
    {
      regex: /(?<![A-Za-z0-9_])(basic\s{1,8})[A-Za-z0-9+/]{4,}={0,2}/gi,
      kind: () => 'name and password of basic authentication',
      accepts: ({ secret }) => isNameAndPassword(secret),
    },
    {
      regex: /((?<![A-Za-z0-9_-])(?:-u|--user|--proxy-user)[ =]{1,3}["']?[^\s:"']{1,100}:)[^\s"'@/]+/g,
      kind: () => 'password of a command',
      accepts: ({ secret }) => !isNoSecret(secret) && !isGroupId(secret),
    },
    {
      // "password": "…", 'password': '…', password = "…", and as JSON inside JSON \"password\": \"…\"
      regex: new RegExp(
        `(${NAME}\\\\{0,3}["']?\\s{0,8}(?:=>|[:=])\\s{0,8}\\\\{0,3}["']${SCHEME})[^"'\\\\\\r\\n]+`,
        'g',
      ),
      needs: NAMED,
      kind: named,
      accepts: ({ secret, groups }) => isSecretMember(groups[1]!, secret, {}) && !isNoSecret(secret),
    },
    {
      regex: /((?<![A-Za-z0-9_-])(?:set-)?cookie2?[ \t]{0,4}:[ \t]{0,4})[^\r\n"'\\]{3,}/gi,
      kind: () => 'cookie',
      accepts: ({ secret }) => /^[^\s=]+=/.test(secret),
    },
    {
      // password=…, as in queries, forms, settings and connection strings
      regex: new RegExp(`(${NAME}=${SCHEME})[^\\s"'\\\\&;,<>()[\\]{}|\`]{3,}`, 'g'),
      needs: NAMED,
      kind: named,
      accepts: isAssigned,
    },
    {
      // X-Api-Key: …
      regex: new RegExp(`(${NAME}:[ \\t]{1,8}${SCHEME})${UNQUOTED}`, 'g'),
      needs: NAMED,
      kind: named,
      accepts: isBesideName,
    },
    {
      // --token …
      regex: new RegExp(`((?<![\\w-])--([A-Za-z][A-Za-z0-9-]{1,63})[ \\t]{1,4}${SCHEME})${UNQUOTED}`, 'g'),
      kind: named,
      accepts: isBesideName,
    },
  ],
  looksAround: true,
}

function shapeOf(secret: string): string {
  return KEY_SHAPES.find(([, shape]) => new RegExp(`^(?:${shape})$`).test(secret))?.[0] ?? 'key'
}

/** `sk-learn-pipeline` is none: some part of a key is a long word that nobody would say. */
function isModelKey(secret: string): boolean {
  return secret
    .slice(3)
    .split(/[-_]/)
    .some(part => part.length >= 8 && looksDrawn(part))
}

/** Digits, capitals in the middle, or more letters in a row than words have. */
function looksDrawn(text: string): boolean {
  return /\d|[a-z][A-Z]|[A-Za-z]{18}/.test(text) && !/^(?:\w{1,6}[-_])*(.)\1+$/.test(text)
}

/** "Bearer authentication" and "bearer of bad news" speak of one only. */
function isBearer({ secret, text, from }: Found): boolean {
  if (/^your[-_]/i.test(secret)) return false
  if (
    /authorization["'\\]{0,3}\s{0,8}[:=]\s{0,8}["'\\]{0,3}$/i.test(text.slice(Math.max(0, from - 40), from))
  )
    return true
  const token = secret.replace(/[.]+$/, '')
  return /\d|[a-z][A-Z]|[A-Za-z0-9][._~+/=][A-Za-z0-9]|[A-Za-z]{20}/.test(token)
}

function isNameAndPassword(token: string): boolean {
  if (token.length % 4 !== 0) return false
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(token))
  } catch {
    return false
  }
}

/** `docker run --user 1000:1000` */
function isGroupId(text: string): boolean {
  return /^\d{1,6}$/.test(text)
}

/** In source code `token=token` names a variable; in a query, a form and a settings file it is the token. */
function isAssigned({ secret, groups, text, from, to }: Found): boolean {
  const name = groups[1]!
  const before = text[from - 1] ?? ''
  const isInUrl = before === '?' || before === '&' || (text[to] === '&' && text[to + 1] !== '&')
  const isSigned =
    isInUrl &&
    /^(?:sig|signature|key|code|auth|pass)$/i.test(name) &&
    secret.length >= 12 &&
    looksDrawn(secret)
  if (!isSigned && !isSecretName(name)) return false
  if (isNoSecret(secret) || (!isInUrl && isCode(name, secret, text[to]))) return false
  const isListed = isInUrl || before === ';' || text[to] === ';'
  return isListed || /[^A-Za-z_.$]/.test(secret) || name === name.toUpperCase()
}

/** `token=getToken();`, `apiKey=process.env.API_KEY;`, `this.accessToken=accessToken;` */
function isCode(name: string, value: string, after: string | undefined): boolean {
  if (!/^[A-Za-z_$][\w.$]*$/.test(value)) return false
  if (after === '(' || after === '[') return true
  return value.includes('.') ? isSecretName(value) : name.endsWith(`.${value}`)
}

/** Behind a colon and a space prose may follow: only what has a digit is taken for a secret. */
function isBesideName({ secret, groups }: Found): boolean {
  return isSecretName(groups[1]!) && /\d/.test(secret) && !isNoSecret(secret) && !secret.includes('://')
}

function named(): string {
  return 'value beside the name of a secret'
}
