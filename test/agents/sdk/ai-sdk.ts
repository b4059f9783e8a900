/** The `ai` package with two providers: tools in a loop of its own, and a streamed text. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import axios from 'axios'
import { z } from 'zod'

const openai = createOpenAI()
const anthropic = createAnthropic()

const getWeather = tool({
  description: 'The weather in a town.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    const { data } = await axios.get(`${process.env.WEATHER_URL}/now`, { params: { city } })
    return data
  },
})

export async function run(question: string) {
  const tools = { get_weather: getWeather }
  const system = 'You help people to pack.'
  const responses = await generateText({
    model: openai('gpt-4o'),
    system,
    prompt: question,
    tools,
    stopWhen: stepCountIs(4),
  })
  const chat = await generateText({
    model: openai.chat('gpt-4o-mini'),
    system,
    prompt: question,
    tools,
    stopWhen: stepCountIs(4),
  })
  const poem = streamText({
    model: anthropic('claude-haiku-4-5'),
    prompt: 'A poem about the two towns, please.',
  })
  const words: string[] = []
  for await (const word of poem.textStream) words.push(word)
  return {
    answers: [responses.text, chat.text],
    steps: [responses.steps.length, chat.steps.length],
    words,
    usage: await poem.usage.then(({ inputTokens, outputTokens }) => ({ inputTokens, outputTokens })),
  }
}
