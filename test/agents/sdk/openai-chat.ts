/** Chat completions as a user writes them: an embedding, a loop with parallel tools over fetch, and a streamed end. */
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

export async function run(question: string) {
  const { data } = await client.embeddings.create({ model: 'text-embedding-3-small', input: question })
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You help people to pack.' },
    { role: 'user', content: question },
  ]
  for (;;) {
    const completion = await client.chat.completions.create({ model: 'gpt-4o', messages, tools })
    const { message } = completion.choices[0]!
    messages.push(message)
    const calls = message.tool_calls ?? []
    if (calls.length === 0)
      return { answer: message.content, poem: await poem(), dimensions: data[0]!.embedding }
    const results = await Promise.all(
      calls.map(async call => {
        if (call.type !== 'function') throw new Error('no such tool')
        return {
          role: 'tool' as const,
          tool_call_id: call.id,
          content: await getWeather(JSON.parse(call.function.arguments).city),
        }
      }),
    )
    messages.push(...results)
  }
}

async function poem(): Promise<string[]> {
  const stream = await client.chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'A poem about the two towns, please.' }],
    stream: true,
    stream_options: { include_usage: true },
  })
  const words: string[] = []
  for await (const chunk of stream) {
    const text = chunk.choices[0]?.delta.content
    if (text) words.push(text)
  }
  return words
}
