/**
 * The world of the agents in this folder, in a process of its own: a model provider that nobody here wrote, a weather
 * service, and a sink for what agents tell of themselves. Prints where they are as one line of JSON.
 */
import { createServer } from 'node:http'
import { LLMock } from '@copilotkit/aimock'

const models = new LLMock({ port: 0, chunkSize: 12 })
const towns = ['Lisbon', 'Oslo']
const toolCalls = towns.map((city, index) => ({
  id: `call_${index + 1}`,
  name: 'get_weather',
  arguments: JSON.stringify({ city }),
}))
models.on({ userMessage: 'wear', hasToolResult: false }, { toolCalls })
models.on({ userMessage: 'wear', hasToolResult: true }, { content: 'Linen in Lisbon, wool in Oslo.' })
models.on(
  { userMessage: 'Where is order', hasToolResult: false },
  { toolCalls: [{ id: 'call_1', name: 'get_order', arguments: '{"order_id": "A-17"}' }] },
)
models.on({ userMessage: 'Where is order', hasToolResult: true }, { content: 'It arrives in 2 days.' })
models.on({ userMessage: 'What should I pack' }, { content: 'Sunglasses, and a coat.' })
models.on(
  { userMessage: 'poem' },
  { content: 'Sun on tiles, snow on spruce; pack for both and travel loose.' },
)
models.onEmbedding(/./, { embedding: [0.25, -0.5, 0.125] })

let tracesSeen = 0
const plain = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://plain')
  for await (const _ of request);
  const send = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  if (url.pathname === '/v1/traces/ingest') return send(200, { seen: ++tracesSeen })
  if (url.pathname === '/traces-seen') return send(200, { tracesSeen })
  const city = url.searchParams.get('city')
  if (!towns.includes(city)) return send(404, { error: `no town named ${city}` })
  return send(200, { city, celsius: city === 'Oslo' ? -3 : 24, sky: city === 'Oslo' ? 'snow' : 'clear' })
})

await models.start()
await new Promise(done => plain.listen(0, '127.0.0.1', done))
process.stdout.write(
  `${JSON.stringify({ models: models.url, plain: `http://127.0.0.1:${plain.address().port}` })}\n`,
)
