import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import type { ReadRequest, SentRequest } from '../trace/exchange.ts'
import { DIALECTS, type Dialect, UNNAMED_MODEL } from './dialects.ts'
import { TELLING_HEADERS, type TellingHeader } from './telling-headers.ts'

/** A request to a model API; null when it is none. The body is asked for only when the path is one of theirs. */
export function modelRequest(sent: SentRequest, body: () => Json | undefined): ReadRequest | null {
  const { pathname } = sent.url
  let request: Json | undefined
  for (const dialect of DIALECTS) {
    const match = dialect.path.exec(pathname)
    if (match === null) continue
    request ??= body()
    if (!isJsonObject(request ?? null)) return null
    if (holdsAll(request as JsonObject, dialect)) {
      return requestIn(dialect, sent, request as JsonObject, match[1])
    }
  }
  return null
}

function holdsAll(request: JsonObject, { holds }: Dialect): boolean {
  return holds.every(names => names.some(name => Object.hasOwn(request, name) && request[name] !== null))
}

function requestIn(
  dialect: Dialect,
  { header }: SentRequest,
  request: JsonObject,
  inPath: string | undefined,
): ReadRequest {
  const headers = tellingHeaders(TELLING_HEADERS[dialect.provider] ?? [], header)
  return {
    kind: 'model',
    target: { kind: 'llm', provider: dialect.provider, model: modelName(request, inPath) },
    dialect: dialect.api,
    // The shape that the Python implementation records, so that a run can be replayed in the other language.
    input: { method: dialect.method, request, ...(headers !== null && { headers }) },
    streams: isStreamed(dialect, request),
  }
}

function modelName({ model }: JsonObject, inPath: string | undefined): string {
  if (typeof model === 'string' && model !== '') return model
  return inPath === undefined ? UNNAMED_MODEL : decoded(inPath)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function isStreamed({ streams }: Dialect, { stream }: JsonObject): boolean {
  if (streams === 'if-asked') return stream === true
  return streams === 'always' || (streams === 'unless-refused' && stream !== false)
}

function tellingHeaders(known: readonly TellingHeader[], header: SentRequest['header']): JsonObject | null {
  const found: { [name: string]: Json } = {}
  for (const { name, isList, usual } of known) {
    const value = header(name)
    if (value === null) continue
    const values = (isList ? value.split(',') : [value]).map(one => one.trim())
    const unusual = values.filter(one => one !== '' && !usual.includes(one)).sort()
    if (unusual.length > 0) found[name] = isList ? unusual : unusual[0]!
  }
  return Object.keys(found).length === 0 ? null : found
}
