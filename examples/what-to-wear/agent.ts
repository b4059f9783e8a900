/** An agent on the `openai` package, as it is: it asks a weather service over HTTP, and knows nothing of stepfork. */
import OpenAI from 'openai'

const client = new OpenAI()

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a town.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

async function getWeather(city: string): Promise<string> {
  const response = await fetch(`${process.env.WEATHER_URL}/now?city=${encodeURIComponent(city)}`)
  return JSON.stringify(await response.json())
}

export async function run(question: string): Promise<string | null> {
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You help people to pack.' },
    { role: 'user', content: question },
  ]
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages, tools })
    const { message } = choices[0]!
    messages.push(message)
    if (message.tool_calls === undefined) return message.content
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const { city } = JSON.parse(call.function.arguments)
      messages.push({ role: 'tool', tool_call_id: call.id, content: await getWeather(city) })
    }
  }
}
