/** LangGraph's ready-made agent with a LangChain model and a LangChain tool; streamed at the end. */
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import got from 'got'
import { z } from 'zod'

const getWeather = tool(
  async ({ city }) => {
    const weather = await got(`${process.env.WEATHER_URL}/now`, { searchParams: { city } }).json()
    return JSON.stringify(weather)
  },
  { name: 'get_weather', description: 'The weather in a town.', schema: z.object({ city: z.string() }) },
)

const model = new ChatOpenAI({ model: 'gpt-4o', temperature: 0 })
const agent = createReactAgent({ llm: model, tools: [getWeather], prompt: 'You help people to pack.' })

export async function run(question: string) {
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] })
  const words: string[] = []
  for await (const chunk of await model.stream('A poem about the two towns, please.'))
    words.push(String(chunk.content))
  return { answer: messages.at(-1)?.content, turns: messages.length, words }
}
