import type { Json, JsonObject } from '../json/value.ts'
import { bytesContent, textOf } from './body-content.ts'
import { fieldsByName } from './fields-by-name.ts'

/**
 * The parts of a multipart form by name: the text of a plain field, an object for a file. The boundary, which is drawn at
 * random, is left out. Null when the body is no such form.
 */
export function multipartFields(type: string, body: Uint8Array | string): JsonObject | null {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type)
  if (boundary === null) return null
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const parts: (readonly [string, Json])[] = []
  for (const part of partsOf(bytes, `--${boundary[1] ?? boundary[2]}`)) {
    const field = fieldOf(part)
    if (field === null) return null
    parts.push(field)
  }
  return parts.length === 0 ? null : fieldsByName(parts)
}

interface Part {
  readonly head: string
  readonly content: Uint8Array
}

/** One character for each byte, so that places in the text are places in the bytes. */
const bytewise = new TextDecoder('latin1')

function* partsOf(bytes: Uint8Array, delimiter: string): Generator<Part> {
  const text = bytewise.decode(bytes)
  let at = text.indexOf(delimiter)
  while (at !== -1) {
    const head = at + delimiter.length + 2
    const content = text.indexOf('\r\n\r\n', head)
    const end = text.indexOf(`\r\n${delimiter}`, content)
    if (content === -1 || end === -1 || text.startsWith('--', head - 2)) return
    yield {
      head: textOf(bytes.subarray(head, content)) ?? text.slice(head, content),
      content: bytes.subarray(content + 4, end),
    }
    at = end + 2
  }
}

function fieldOf({ head, content }: Part): readonly [string, Json] | null {
  const name = parameter(head, 'name')
  if (name === null) return null
  const filename = parameter(head, 'filename')
  const type = /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim() ?? null
  const text = textOf(content)
  if (text !== null && filename === null && type === null) return [name, text]
  return [
    name,
    {
      ...(filename !== null && { filename }),
      ...(type !== null && { type }),
      ...(text === null ? bytesContent(content) : { text }),
    },
  ]
}

function parameter(head: string, name: string): string | null {
  const found = new RegExp(`^content-disposition:.*?;\\s*${name}="([^"]*)"`, 'im').exec(head)
  return found === null ? null : found[1]!
}
