/** A parcel desk: asks the express carrier for a price, once more when it is down, and falls back on the standard one. */
import { llmRequest, traceTool } from 'stepfork'
import { CarrierDown, expressPrice, type Parcel, type Price, standardPrice } from './carriers.ts'
import { complete, type Message } from './scripted-model.ts'

const MODEL = 'gpt-4o-mini'
const TRIES = 2

// A replay throws the recorded failure again; `errors` names the class that the agent's `instanceof` looks for.
const quoteExpress = traceTool('quote_express', expressPrice, { errors: [CarrierDown] })
const quoteStandard = traceTool('quote_standard', standardPrice, { params: ['city', 'kg'] })

export interface Quote extends Price {
  readonly note: string
}

export default async function quote(request: string): Promise<Quote> {
  const parcel: Parcel = JSON.parse(await ask('Read city and kg from the request. Reply in JSON.', request))
  if (!parcel.city || !parcel.kg) throw new RangeError('say the city and the weight in kg')
  const price = (await tryExpress(parcel)) ?? (await quoteStandard(parcel.city, parcel.kg))
  const note = await ask('Say the price in one friendly sentence.', JSON.stringify({ ...parcel, ...price }))
  return { ...price, note }
}

/** Null when the carrier stays down; any other failure is not ours to hide. */
async function tryExpress(parcel: Parcel): Promise<Price | null> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return await quoteExpress(parcel)
    } catch (error) {
      if (!(error instanceof CarrierDown)) throw error
    }
  }
  return null
}

async function ask(instructions: string, content: string): Promise<string> {
  const messages: readonly Message[] = [
    { role: 'system', content: instructions },
    { role: 'user', content },
  ]
  const completion = await llmRequest({ provider: 'openai', model: MODEL, input: { messages } }, () =>
    complete({ model: MODEL, messages }),
  )
  return completion.choices[0].message.content
}
