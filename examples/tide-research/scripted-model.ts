/**
 * A stand-in for a model, so that this example needs no key and no network. It is a script, no intelligence: asked for
 * searches it names three, asked for an answer it repeats the notes. Its requests and answers have the shape of OpenAI's
 * chat completions, so `complete(request)` may be replaced by `client.chat.completions.create(request)`.
 */
import { setTimeout as delay } from 'node:timers/promises'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface Request {
  readonly model: string
  readonly messages: readonly Message[]
}

const SEARCHES = ['tide and moon', 'spring tide', 'neap tide']

export async function complete({
  messages,
}: Request): Promise<{ readonly choices: readonly [{ message: Message }] }> {
  await delay(40)
  const [instructions, user] = messages
  const content = instructions?.content.includes('searches')
    ? SEARCHES.join('\n')
    : summary(user?.content ?? '')
  return { choices: [{ message: { role: 'assistant', content } }] }
}

function summary(text: string): string {
  const [, ...notes] = text.split('\n\n')
  return notes.join(' ')
}
