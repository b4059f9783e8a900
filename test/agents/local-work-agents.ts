/** Agents that work locally between their calls: files, compression, cryptography, threads, processes, servers, modules. */
import { exec } from 'node:child_process'
import { pbkdf2 } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gzip } from 'node:zlib'
import type { Agent, Toolbox } from './toolbox.ts'

export const localWorkAgents = {
  files: tools =>
    between(tools, [1, 2, 3], async (x, i) => {
      const file = join(tmpdir(), `stepfork-agent-${process.pid}-${i}`)
      await writeFile(file, String(x))
      const read = Number(await readFile(file, 'utf8'))
      await rm(file)
      return read
    }),

  fileStream: tools =>
    between(tools, [1, 2], async () => {
      let length = 0
      for await (const chunk of createReadStream('/etc/services', { highWaterMark: 512 }))
        length += chunk.length
      return length
    }),

  compression: tools =>
    between(tools, [1, 2, 3], async (_x, i) => (await promisify(gzip)('x'.repeat(300_000 * i))).length),

  digests: tools =>
    between(tools, [1, 2, 3], async () =>
      hex(Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(2_000_000)))),
    ),

  keyDerivation: tools =>
    between(tools, [1, 2, 3], async (_x, i) =>
      hex(await promisify(pbkdf2)('a', `b${i}`, 60_000, 32, 'sha256')),
    ),

  worker: tools =>
    between(tools, [1, 2], async (_x, i) => {
      const worker = new Worker(COUNTING, { eval: true, workerData: i })
      const [message] = await once(worker, 'message')
      await worker.terminate()
      return message
    }),

  childProcess: tools => between(tools, [1, 2], async (_x, i) => (await promisify(exec)(`echo ${i}`)).stdout),

  heartbeat: async tools => {
    const beat = setInterval(() => {}, 5)
    try {
      return await between(tools, [1, 2, 3], () => tools.localWork())
    } finally {
      clearInterval(beat)
    }
  },

  openServer: tools => withServer(0, () => between(tools, [1, 2, 3], () => tools.localWork())),

  localHttp: tools =>
    withServer(4, async port => {
      const agent = new http.Agent({ keepAlive: true })
      try {
        return await between(tools, [1, 2, 3], (_x, i) => get(port, `/${i}`, agent))
      } finally {
        agent.destroy()
      }
    }),

  localFetch: tools =>
    withServer(0, port =>
      between(tools, [1, 2, 3], async (_x, i) => (await fetch(`http://127.0.0.1:${port}/${i}`)).text()),
    ),

  dynamicImport: tools =>
    between(tools, [1, 2], async (_x, i) => {
      const code = `data:text/javascript,export default ${i} // ${Math.random()}`
      return ((await import(/* @vite-ignore */ code)) as { default: number }).default
    }),

  emitter: async tools => {
    const emitter = new EventEmitter()
    const seen: [number, number][] = []
    const done = new Promise<void>(resolve => {
      emitter.on('found', (i: number, value: number) => {
        seen.push([i, value])
        if (seen.length === 4) resolve()
      })
    })
    for (const i of [1, 2, 3, 4])
      void tools.call('fetch', { i }).then(value => emitter.emit('found', i, value))
    await done
    return tools.call('use', { seen })
  },
} satisfies { readonly [name: string]: Agent }

const COUNTING = `
  const { parentPort, workerData } = require('node:worker_threads')
  let sum = 0
  for (let i = 0; i < 200000; i++) sum += i
  parentPort.postMessage(workerData + 1)`

/** For each item a call, local work on its answer, and another call with what came of it. */
function between(
  tools: Toolbox,
  items: readonly number[],
  work: (x: number, i: number) => Promise<unknown>,
): Promise<number[]> {
  return Promise.all(
    items.map(async i => {
      const x = await tools.call('fetch', { i })
      const made = (await work(x, i)) ?? null
      return tools.call('save', { i, x, made })
    }),
  )
}

async function withServer<T>(slowestMs: number, use: (port: number) => Promise<T>): Promise<T> {
  const server = http.createServer((request, response) => {
    setTimeout(() => response.end(`ok ${request.url}`), Math.random() * slowestMs)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function get(port: number, path: string, agent: http.Agent): Promise<string> {
  const request = http.get({ host: '127.0.0.1', port, path, agent })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return text
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex').slice(0, 8)
}
