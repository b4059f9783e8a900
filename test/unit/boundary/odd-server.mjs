/** A server in a process of its own that does all that servers do: `node odd-server.mjs`, spoken to by messages. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { certificate } from './certificate.mjs'

const log = []
const ROUTES = {
  '/echo': (request, response, body) =>
    json(response, { ...described(request), body: body.toString('base64') }),
  '/gzip': (_, response) => encoded(response, 'gzip', gzipSync),
  '/br': (_, response) => encoded(response, 'br', brotliCompressSync),
  '/redirect': (_, response) => empty(response, 302, { location: '/echo?redirected' }),
  '/redirect-307': (_, response) => empty(response, 307, { location: '/echo?kept' }),
  '/cookies': (_, response) => json(response, {}, { 'set-cookie': ['a=1; Path=/', 'b=2'] }),
  '/binary': (_, response) => response.end(Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256))),
  '/status': (_, response, __, query) =>
    response.writeHead(Number(query.get('code')), query.get('text') ?? undefined).end(),
  '/plain-status': (_, response, __, query) =>
    response.writeHead(Number(query.get('code'))).end('{"no":true}'),
  '/stream': stream,
  '/reset-before': request => reset(request.socket),
  '/reset-amid': (request, response) => {
    response.write('first')
    setTimeout(() => reset(request.socket), 20)
  },
  '/cut-amid': (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('first')
    setTimeout(() => request.socket.destroy(), 20)
  },
  '/never': () => {},
  '/never/models': () => {},
  '/failing/models': (_, response) => empty(response, 500, { 'retry-after-ms': '1' }),
  '/big': big,
  '/trailers': (_, response) => {
    response.writeHead(200, { trailer: 'x-sum', 'x-before': '1' }).write('body')
    response.addTrailers({ 'x-sum': '4' })
    response.end()
  },
  '/until-close': (_, response) => {
    response.shouldKeepAlive = false
    response.useChunkedEncodingByDefault = false
    response.removeHeader('transfer-encoding')
    response.writeHead(200, { connection: 'close' }).end('until the end')
  },
  '/events': events,
  '/v1/chat/completions': chat,
  '/v1/messages': messages,
}

const servers = [createServer(answer), createSecureServer(certificate, answer)]
for (const server of servers) {
  server.on('checkContinue', (request, response) => {
    if (request.url.startsWith('/refuse')) return void response.writeHead(417).end('no')
    response.writeContinue()
    answer(request, response)
  })
  server.on('upgrade', (_, socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\nhello'),
  )
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 200 Connected\r\n\r\n'))
  server.keepAliveTimeout = 600_000
}
await Promise.all(servers.map(server => new Promise(done => server.listen(0, '127.0.0.1', done))))
process.on('message', () => process.send(log.splice(0)))
process.on('disconnect', () => process.exit())
process.send([...servers.map(server => server.address().port), certificate.cert])

function answer(request, response) {
  response.sendDate = false
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const entry = { path: request.url, method: request.method, written: 0, closedEarly: false }
  log.push(entry)
  response.entry = entry
  response.on('close', () => {
    entry.closedEarly = !response.writableFinished
  })
  const parts = []
  request.on('error', () => {})
  request.on('data', part => parts.push(part))
  request.on('end', () => {
    entry.trailers = request.trailers
    const route = ROUTES[pathname] ?? (() => empty(response, 404, {}))
    route(request, response, Buffer.concat(parts), searchParams)
  })
}

function described({ method, url, headers }) {
  return { method, url, headers }
}

function json(response, value, headers = {}) {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

function encoded(response, encoding, encode) {
  response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/plain' })
  response.end(encode(Buffer.from('packed '.repeat(100))))
}

function empty(response, code, headers) {
  response.writeHead(code, headers).end()
}

async function stream(_, response, __, query) {
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.flushHeaders()
  for (let at = 0; at < Number(query.get('parts')) && !response.destroyed; at++) {
    response.write(`part ${at}\n`)
    response.entry.written++
    await pause(Number(query.get('gap') ?? 5))
  }
  response.end()
}

/** Only a plain connection can be reset. */
function reset(socket) {
  if (socket.encrypted) socket.destroy()
  else socket.resetAndDestroy()
}

function pause(ms) {
  return new Promise(done => (ms === 0 ? setImmediate(done) : setTimeout(done, ms)))
}

async function big(_, response, __, query) {
  const part = Buffer.alloc(1 << 20, 'x')
  const closed = once(response, 'close')
  for (let at = 0; at < Number(query.get('mb')) && !response.destroyed; at++) {
    response.entry.written++
    if (!response.write(part))
      await new Promise(done => void [response.once('drain', done), closed.then(done)])
  }
  response.end()
}

async function events(_, response, __, query) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < Number(query.get('parts')) && !response.destroyed; at++) {
    response.entry.written++
    response.write(`data: {"at":${at}}\n\n`)
    await new Promise(done => setTimeout(done, 3))
  }
  response.end()
}

async function chat(_, response, body) {
  const { stream: streams, model } = JSON.parse(body)
  if (!streams) {
    const message = { role: 'assistant', content: 'hello' }
    return json(response, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < 8 && !response.destroyed; at++) {
    response.entry.written++
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta: { content: `t${at}` } }],
    }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    await new Promise(done => setTimeout(done, 20))
  }
  response.end('data: [DONE]\n\n')
}

function messages(_, response, body) {
  const { model } = JSON.parse(body)
  const content = [{ type: 'text', text: 'hello' }]
  json(response, {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  })
}
