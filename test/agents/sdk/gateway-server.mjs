/** A gateway: whatever the path before it, a chat is answered. `unknown` is where it is by another name. */
import { createServer } from 'node:http'

let served = 0
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const { pathname } = new URL(request.url, 'http://gateway')
  const isChat = pathname.endsWith('/chat/completions')
  const { model } = isChat ? JSON.parse(body) : {}
  const content = `poem ${++served} by ${model}`
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  response.writeHead(isChat ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'c-1', object: 'chat.completion', created: 1, model, choices }))
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  const urls = { gateway: `http://127.0.0.1:${port}`, unknown: `http://localhost:${port}/v1` }
  process.stdout.write(`${JSON.stringify(urls)}\n`)
})
