/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as text, and back. */

export interface ServerSentEvent {
  /** Its `event` field; null when it has none. */
  readonly event: string | null
  readonly data: string
}

/** An event at the end that no blank line closes counts, as it does for the SDKs of the model providers. */
export function readEvents(text: string): ServerSentEvent[] {
  const events: ServerSentEvent[] = []
  let event: string | null = null
  let data: string[] = []
  const close = (): void => {
    if (data.length > 0) events.push({ event, data: data.join('\n') })
    event = null
    data = []
  }
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    if (line === '') close()
    else if (isField(line, 'data')) data.push(fieldValue(line, 'data'))
    else if (isField(line, 'event')) event = fieldValue(line, 'event')
  }
  close()
  return events
}

/** JSON in `data` has no line breaks. */
export function writeEvent({ event, data }: ServerSentEvent): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${data}\n\n`
}

function isField(line: string, name: string): boolean {
  return line.startsWith(name) && (line.length === name.length || line[name.length] === ':')
}

/** One space after the colon is not part of the value. */
function fieldValue(line: string, name: string): string {
  const start = name.length + 1
  return line.slice(line[start] === ' ' ? start + 1 : start)
}
