/** The Responses API as a user writes it: a loop with tools, and a streamed end. */
import OpenAI from 'openai'

const client = new OpenAI()

const tools: OpenAI.Responses.FunctionTool[] = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'The weather in a town.',
    strict: false,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

async function getWeather(city: string): Promise<string> {
  const response = await fetch(`${process.env.WEATHER_URL}/now?city=${encodeURIComponent(city)}`)
  return JSON.stringify(await response.json())
}

export async function run(question: string) {
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }]
  for (;;) {
    const response = await client.responses.create({
      model: 'gpt-4o',
      instructions: 'You help people to pack.',
      input,
      tools,
    })
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]))
    const calls = response.output.filter(item => item.type === 'function_call')
    if (calls.length === 0) return { answer: response.output_text, poem: await poem() }
    for (const call of calls)
      input.push({
        type: 'function_call_output',
        call_id: call.call_id,
        output: await getWeather(JSON.parse(call.arguments).city),
      })
  }
}

async function poem(): Promise<string[]> {
  const stream = client.responses.stream({
    model: 'gpt-4o-mini',
    input: 'A poem about the two towns, please.',
  })
  const seen: string[] = []
  for await (const event of stream) if (event.type === 'response.output_text.delta') seen.push(event.delta)
  const whole = await stream.finalResponse()
  return [...seen, whole.status ?? 'no status']
}
