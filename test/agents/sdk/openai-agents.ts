/** The agents package of OpenAI: its loop, its tools, and its tracing, which tells a server what was done. */
import {
  Agent,
  BatchTraceProcessor,
  getGlobalTraceProvider,
  OpenAITracingExporter,
  run as runAgent,
  setTraceProcessors,
  tool,
} from '@openai/agents'
import nodeFetch from 'node-fetch'
import { z } from 'zod'

const endpoint = process.env.TRACES_URL
if (endpoint !== undefined)
  setTraceProcessors([new BatchTraceProcessor(new OpenAITracingExporter({ endpoint, apiKey: 'none' }))])

const getWeather = tool({
  name: 'get_weather',
  description: 'The weather in a town.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    const response = await nodeFetch(`${process.env.WEATHER_URL}/now?city=${city}`)
    return JSON.stringify(await response.json())
  },
})

const packer = new Agent({
  name: 'Packer',
  instructions: 'You help people to pack.',
  model: 'gpt-4o',
  tools: [getWeather],
})

export async function run(question: string) {
  const result = await runAgent(packer, question)
  const streamed = await runAgent(packer, 'A poem about the two towns, please.', { stream: true })
  const words: string[] = []
  for await (const word of streamed.toTextStream()) words.push(word)
  await getGlobalTraceProvider().forceFlush()
  return { answer: result.finalOutput, turns: result.newItems.length, words }
}
