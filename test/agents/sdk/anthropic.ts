/** The Messages API as a user writes it: a loop with tools, and a streamed end. */
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic()

const tools: Anthropic.Tool[] = [
  {
    name: 'get_weather',
    description: 'The weather in a town.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

async function getWeather(city: string): Promise<string> {
  const response = await fetch(`${process.env.WEATHER_URL}/now?city=${encodeURIComponent(city)}`)
  return JSON.stringify(await response.json())
}

export async function run(question: string) {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    const message = await client.messages.create({
      model: 'claude-sonnet-4-5',
      max_tokens: 1024,
      system: 'You help people to pack.',
      messages,
      tools,
    })
    messages.push({ role: 'assistant', content: message.content })
    const uses = message.content.filter(block => block.type === 'tool_use')
    if (uses.length === 0) return { answer: textOf(message), poem: await poem() }
    const results = await Promise.all(
      uses.map(async ({ id, input }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: await getWeather((input as { city: string }).city),
      })),
    )
    messages.push({ role: 'user', content: results })
  }
}

async function poem() {
  const stream = client.messages.stream({
    model: 'claude-haiku-4-5',
    max_tokens: 200,
    messages: [{ role: 'user', content: 'A poem about the two towns, please.' }],
  })
  const seen: string[] = []
  stream.on('text', text => seen.push(text))
  const message = await stream.finalMessage()
  return { seen, whole: textOf(message), stopped: message.stop_reason }
}

function textOf(message: Anthropic.Message): string {
  return message.content.map(block => (block.type === 'text' ? block.text : '')).join('')
}
