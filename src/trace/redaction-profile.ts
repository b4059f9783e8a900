/**
 * What counts as a secret, as data. The compatible profile is that of the Python implementation 0.2.1 to the letter,
 * oddities included (`token` and `x-api-key` are no sensitive names, "Bearer authentication" is a credential): a live
 * input is compared with what such a recording holds only after the same redaction.
 */
export interface RedactionProfile {
  /** Names whose values are replaced whole: lower case, without anything but a-z and 0-9. */
  readonly names: ReadonlySet<string>
  /** Any string without one of these is passed without looking closer. */
  readonly hint: RegExp
  /** Applied in this order; what the first group holds stays. */
  readonly patterns: readonly RegExp[]
}

/** Word characters and white space as Python's `re` sees them in text; JavaScript's own differ outside ASCII. */
const WORD = '[\\p{L}\\p{N}_]'
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'

/** Python ignores case for this one, which also lets in the four letters outside ASCII that fold to i, s and k. */
const BEARER_TOKEN = '[A-Za-z0-9._~+/=\\u0130\\u0131\\u017f\\u212a-]{8,}'

/** The boundary after a token may lie between "-" and a letter, so both sides are looked at. */
const WORD_ENDS = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`

export const compatibleProfile: RedactionProfile = {
  names: new Set([
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
  ]),
  hint: /sk-|gh[po]_|github_pat_|[Bb][Ee][Aa][Rr][Ee][Rr]/,
  patterns: [
    new RegExp(`([Bb][Ee][Aa][Rr][Ee][Rr]${SPACE}+)${BEARER_TOKEN}`, 'gu'),
    token('sk-', '[A-Za-z0-9_-]'),
    token('ghp_', '[A-Za-z0-9_]'),
    token('gho_', '[A-Za-z0-9_]'),
    token('github_pat_', '[A-Za-z0-9_]'),
  ],
}

/**
 * A whole word of a known beginning and at least 8 characters more. Linear in the text: a second beginning inside the
 * characters that one attempt has passed needs a word boundary there, at which that attempt would have ended.
 */
function token(beginning: string, characters: string): RegExp {
  return new RegExp(`()(?<!${WORD})${beginning}${characters}{8,}${WORD_ENDS}`, 'gu')
}
