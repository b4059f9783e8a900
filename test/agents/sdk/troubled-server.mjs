/** A model server that has its bad moments: what a model's name asks for is what happens. Prints where it is. */
import { createServer } from 'node:http'

const tries = new Map()
const pieces = ['Sun ', 'on ', 'tiles, ', 'snow ', 'on ', 'spruce.']

const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const { model, stream } = body === '' ? {} : JSON.parse(body)
  const attempt = (tries.get(model) ?? 0) + 1
  tries.set(model, attempt)
  const json = (status, value, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }
  const failed = (status, message, headers) =>
    json(status, { error: { message, type: 'server_error', code: null } }, headers)
  if (request.method === 'GET') return json(404, { error: 'no such page' })
  if (model === 'busy' && attempt === 1) return failed(429, 'slow down', { 'retry-after-ms': '1500' })
  if (model === 'broken') return failed(500, 'the server is broken')
  if (model === 'asked-twice' && attempt === 1)
    return failed(503, 'come again', { 'x-should-retry': 'false' })
  if (model === 'silent') return
  if (stream !== true) return json(200, completion(model, pieces.join('')))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [index, content] of pieces.entries()) {
    if (model === 'cut' && index === 3) return response.destroy()
    if (model === 'endless' && index === 3) return
    response.write(`data: ${JSON.stringify(chunk(model, { content }))}\n\n`)
    await new Promise(done => setTimeout(done, 15))
  }
  response.end(`data: ${JSON.stringify(chunk(model, {}, 'stop'))}\n\ndata: [DONE]\n\n`)
})

function completion(model, content) {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return { id: 'c-1', object: 'chat.completion', created: 1, model, choices }
}

function chunk(model, delta, finish_reason = null) {
  return {
    id: 'c-1',
    object: 'chat.completion.chunk',
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason }],
  }
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ models: `http://127.0.0.1:${server.address().port}` })}\n`)
})
