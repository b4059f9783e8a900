/**
 * A stand-in for a model, so that this example needs no key and no network. It is a script, no intelligence: it reads a
 * city and a weight with a pattern, and fills a sentence. Its requests and answers have the shape of OpenAI's chat
 * completions, so `complete(request)` may be replaced by `client.chat.completions.create(request)`.
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

export async function complete({
  messages,
}: Request): Promise<{ readonly choices: readonly [{ message: Message }] }> {
  await delay(40)
  const [instructions, user] = messages
  const reply = instructions?.content.includes('JSON') ? readRequest : sayPrice
  return { choices: [{ message: { role: 'assistant', content: reply(user?.content ?? '') } }] }
}

function readRequest(text: string): string {
  const [, kg, city] = /(\d+) kg to (\w+)/.exec(text) ?? []
  return JSON.stringify({ city, kg: kg === undefined ? null : Number(kg) })
}

function sayPrice(text: string): string {
  const { city, eur, days } = JSON.parse(text)
  return `Your parcel to ${city} costs ${eur} EUR and takes ${days} days.`
}
