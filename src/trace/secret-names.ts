/**
 * Names under which secrets are kept, for the strong profile. Gathered from the headers and settings of cloud and model
 * providers, from the default lists of pino, Sentry and gitleaks, and from what the Python implementation knows.
 *
 * A name is taken apart into words (`stripeSecretKey`, `x-api-key`, `DB_PASSWORD`), and its end decides. Names that count
 * things (`max_tokens`, `token_count`), page through them (`next_page_token`) or say whether there is one (`has_password`)
 * hold no secret.
 */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'

/** Of a name without its separators: whatever is before, the value is a secret, of any type. */
const SURE_ENDS = [
  'apikey',
  'apitoken',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'bearertoken',
  'sessiontoken',
  'securitytoken',
  'authorization',
  'password',
  'passwd',
  'passphrase',
  'clientsecret',
  'secretkey',
  'secretaccesskey',
  'privatekey',
  'accesskeyid',
]

/** Last words: the value is a secret when it is one word of text. */
const LAST_WORDS: ReadonlySet<string> = new Set([
  'token',
  'secret',
  'secrets',
  'pwd',
  'passcode',
  'jwt',
  'credential',
  'credentials',
])

/** A last word `key` tells nothing by itself (`primary_key`, `cache_key`); with one of these before it, it does. */
const KEYS_OF: ReadonlySet<string> = new Set(
  `secret private access signing encryption decryption master admin auth license deploy ssh gpg webhook subscription functions
   shared account storage app service consumer hmac aes rsa jwt openai anthropic claude gemini google groq mistral cohere
   azure aws gcp stripe sendgrid twilio mailgun resend slack github gitlab tavily serpapi serper exa pinecone weaviate qdrant
   huggingface replicate together fireworks deepseek openrouter perplexity xai elevenlabs deepgram langsmith langfuse helicone
   datadog sentry posthog supabase firebase algolia notion linear airtable shopify paypal plaid cloudflare vercel`.split(
    /\s+/,
  ),
)

/** Parts of signed URLs. */
const SIGNED: ReadonlySet<string> = new Set([
  'xamzsignature',
  'xamzcredential',
  'xgoogsignature',
  'xgoogcredential',
])

/** With one of these the name counts, pages, limits, or asks. */
const NO_SECRETS: ReadonlySet<string> = new Set(
  `max min num count total per cost price prompt completion input output reasoning cached first last next prev previous page
   pagination continuation cursor sync resume skip stop start end eos bos pad unk mask sep cls special image audio text
   current newline word design cancel cancellation has is no needs require requires required show reset forgot change
   invalid wrong missing idempotency thought thinking prior preauthorization`.split(/\s+/),
)

const COOKIES: ReadonlySet<string> = new Set(['cookie', 'cookies', 'setcookie', 'setcookie2'])

/** What people write where a secret would stand. */
const NO_VALUES: ReadonlySet<string> = new Set(
  `string number boolean object null none nil undefined true false yes no on off required optional hidden token secret password
   test dev development production staging local localhost default empty include omit same-origin`.split(
    /\s+/,
  ),
)

/** Whether a member of this name holds a secret. Null, booleans, numbers of tokens and JSON schemas are none. */
export function isSecretMember(name: string, value: Json, holder: JsonObject): boolean {
  const kind = kindOfName(name)
  if (kind === null || value === null || typeof value === 'boolean' || value === '') return false
  if (isJsonObject(value) && isSchema(value)) return false
  if (kind === 'sure') return true
  if (kind === 'cookie') return typeof value !== 'string' ? typeof value === 'object' : isCookie(value)
  // Models tell how likely each token of a text was: `{"token": "Hello", "logprob": -0.1}`.
  if (Object.hasOwn(holder, 'logprob')) return false
  return typeof value === 'string' && isOneWord(value)
}

/** Whether the name alone says that a secret follows, in a query, a header line or a setting. */
export function isSecretName(name: string): boolean {
  return kindOfName(name) !== null
}

/** Texts that stand for the absence of a secret: `none`, `<your key>`, `${API_KEY}`, `xxxx`. */
export function isNoSecret(text: string): boolean {
  return NO_VALUES.has(text.toLowerCase()) || /^(?:[<{$%]|your[-_ ]|\*+$|x{3,}$|\.+$)/i.test(text)
}

type NameKind = 'sure' | 'cookie' | 'word'

/** Most names come again and again. */
const known = new Map<string, NameKind | null>()

function kindOfName(name: string): NameKind | null {
  if (name.length < 3 || name.length > 80) return null
  const before = known.get(name)
  if (before !== undefined) return before
  const kind = kindOf(name)
  if (known.size < 5000) known.set(name, kind)
  return kind
}

function kindOf(name: string): NameKind | null {
  const words = wordsOf(name)
  if (words.some(word => NO_SECRETS.has(word))) return null
  const plain = words.join('')
  if (COOKIES.has(plain)) return 'cookie'
  if (plain === 'secret' || SURE_ENDS.some(end => plain.endsWith(end))) return 'sure'
  const [before = '', last = ''] = words.length === 1 ? ['', plain] : words.slice(-2)
  if (LAST_WORDS.has(last) || SIGNED.has(plain)) return 'word'
  return (last === 'key' && KEYS_OF.has(before)) || (last === 'pat' && before !== '') ? 'word' : null
}

function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return apart.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

function isOneWord(text: string): boolean {
  return !/\s/.test(text) && !isNoSecret(text)
}

/** A recipe has cookies, too. */
function isCookie(text: string): boolean {
  return text.includes('=') || isOneWord(text)
}

/** A tool that takes a password describes it: `{"password": {"type": "string"}}`. */
function isSchema(value: JsonObject): boolean {
  const names = Object.keys(value)
  return names.length > 0 && names.every(name => SCHEMA_WORDS.has(name) || name.startsWith('x-'))
}

const SCHEMA_WORDS: ReadonlySet<string> = new Set(
  `type description title format pattern minLength maxLength minimum maximum nullable required properties items enum
   additionalProperties anyOf oneOf allOf not $ref $comment deprecated readOnly writeOnly default examples const contentEncoding
   contentMediaType`.split(/\s+/),
)
