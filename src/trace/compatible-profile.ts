/**
 * The redaction of the Python implementation 0.2.1 to the letter, oddities included (`token` and `x-api-key` are no
 * sensitive names, "Bearer authentication" is a credential): a live input is compared with what such a recording holds
 * only after the same redaction.
 */
import type { RedactionProfile, SecretPattern } from './redaction-profile.ts'

/** Lower case, without anything but a-z and 0-9. */
const NAMES: ReadonlySet<string> = new Set([
  'apikey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'authorization',
  'password',
  'passwd',
  'secret',
  'clientsecret',
  'privatekey',
  'sessiontoken',
  'bearertoken',
])

/** Word characters and white space as Python's `re` sees them in text; JavaScript's own differ outside ASCII. */
const WORD = '[\\p{L}\\p{N}_]'
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'

/** Python ignores case for this one, which also lets in the four letters outside ASCII that fold to i, s and k. */
const BEARER_TOKEN = '[A-Za-z0-9._~+/=\\u0130\\u0131\\u017f\\u212a-]{8,}'

/** The boundary after a token may lie between "-" and a letter, so both sides are looked at. */
const WORD_ENDS = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`

const HINT = /sk-|gh[po]_|github_pat_|[Bb][Ee][Aa][Rr][Ee][Rr]/

export const compatibleProfile: RedactionProfile = {
  name: 'compatible',
  // Most names are plain lower case words that differ from all sensitive ones already in length.
  isSecretMember: name =>
    name.length >= 6 && (NAMES.has(name) || NAMES.has(name.toLowerCase().replace(/[^a-z0-9]+/g, ''))),
  mayHold: text => HINT.test(text),
  patterns: [
    {
      regex: new RegExp(`([Bb][Ee][Aa][Rr][Ee][Rr]${SPACE}+)${BEARER_TOKEN}`, 'gu'),
      kind: () => 'bearer token',
    },
    token('sk-', '[A-Za-z0-9_-]'),
    token('ghp_', '[A-Za-z0-9_]'),
    token('gho_', '[A-Za-z0-9_]'),
    token('github_pat_', '[A-Za-z0-9_]'),
  ],
  looksAround: false,
}

/**
 * A whole word of a known beginning and at least 8 characters more. Linear in the text: a second beginning inside the
 * characters that one attempt has passed needs a word boundary there, at which that attempt would have ended.
 */
function token(beginning: string, characters: string): SecretPattern {
  return {
    regex: new RegExp(`()(?<!${WORD})${beginning}${characters}{8,}${WORD_ENDS}`, 'gu'),
    kind: () => `${beginning}… key`,
  }
}
