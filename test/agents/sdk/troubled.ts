/** What goes wrong between an agent and a model, and what its SDK and its author make of it: told as the output. */
import OpenAI from 'openai'

const client = new OpenAI()
const messages = [{ role: 'user' as const, content: 'A poem about two towns, please.' }]

async function told(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    const { name, message, status, code } = error as Error & { status?: number; code?: string }
    return { name, message, class: (error as Error).constructor.name, status, code }
  }
}

async function ask(model: string, options: OpenAI.RequestOptions = {}): Promise<string | null> {
  const { choices } = await client.chat.completions.create({ model, messages }, options)
  return choices[0]!.message.content
}

async function read(
  model: string,
  onPart: (count: number, stream: { controller: AbortController }) => boolean,
): Promise<string[]> {
  const stream = await client.chat.completions.create({ model, messages, stream: true })
  const parts: string[] = []
  try {
    for await (const chunk of stream) {
      const { content } = chunk.choices[0]!.delta
      if (content) parts.push(content)
      if (onPart(parts.length, stream)) break
    }
  } catch (error) {
    parts.push((error as Error).constructor.name)
  }
  return parts
}

/** A second try that the author wrote by hand. */
async function again(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch {
    await new Promise(done => setTimeout(done, 20))
    return work()
  }
}

export async function run() {
  const nowhere = new OpenAI({ baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0 })
  return {
    busy: await told(() => ask('busy')),
    broken: await told(() => ask('broken', { maxRetries: 1 })),
    askedTwice: await again(() => ask('asked-twice')),
    late: await told(() => ask('silent', { timeout: 60, maxRetries: 0 })),
    refused: await told(() => nowhere.chat.completions.create({ model: 'nobody', messages })),
    noPage: await fetch(`${process.env.OPENAI_BASE_URL}/page`).then(response => response.status),
    whole: await read('whole', () => false),
    cut: await read('cut', () => false),
    enough: await read('enough', count => count === 2),
    aborted: await read('endless', (count, stream) => {
      if (count === 3) setTimeout(() => stream.controller.abort(), 20)
      return false
    }),
  }
}
