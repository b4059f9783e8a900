/**
 * How long a replay waits until it knows that it is idle: an agent whose three concurrent calls have become sequential, in a
 * process of its own, beside all that may keep a process alive. Prints milliseconds for each release.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, watch } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createSocketServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { traceTool } from '../../src/boundary/trace-tool.ts'
import { watchTimers } from '../../src/run/timer-watch.ts'
import { prepareReplay, recordHere } from '../proof/run-here.ts'

const here = { ownsProcess: true, timers: watchTimers() } as const
const fetchOne = traceTool('fetch', async ({ i }: { i: number }) => {
  // In the recording the last call is answered first, so that in sequence each answer waits for a call to come.
  await new Promise(done => setTimeout(done, (4 - i) * 5))
  return i
})
const ITEMS = [1, 2, 3]

/** Starts it, and returns how to end it. */
const BESIDE: { readonly [name: string]: () => () => void } = {
  nothing: () => () => {},
  heartbeat: () => {
    const beat = setInterval(() => {}, 5)
    return () => clearInterval(beat)
  },
  'a far timer': () => {
    const timer = setTimeout(() => {}, 600_000)
    return () => clearTimeout(timer)
  },
  server: () => {
    const server = createServer().listen(0)
    return () => server.close()
  },
  watcher: () => {
    const watcher = watch(tmpdir())
    return () => watcher.close()
  },
  socket: () => {
    const sockets: Socket[] = []
    const server = createSocketServer(socket => sockets.push(socket)).listen(0, () =>
      sockets.push(connect((server.address() as { port: number }).port)),
    )
    return () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  },
  stdin: () => {
    process.stdin.resume()
    return () => process.stdin.pause()
  },
  'an idle worker': () => {
    const worker = new Worker('require("node:worker_threads").parentPort.on("message", () => {})', {
      eval: true,
    })
    return () => void worker.terminate()
  },
  'a child process': () => {
    const child: ChildProcess = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    return () => child.kill()
  },
}

async function measure(path: string, beside: string): Promise<string> {
  const { run, payloads, facts } = prepareReplay(path, here)
  let ms = 0
  await run.toEnd(async () => {
    const end = BESIDE[beside]!()
    const began = performance.now()
    for (const i of ITEMS) await fetchOne({ i })
    ms = performance.now() - began
    end()
  })
  payloads.close()
  const ended = facts.find(fact => fact.kind === 'ended')
  const released = ended?.kind === 'ended' ? ended.released : 0
  return `${beside} ${(ms / Math.max(1, released)).toFixed(1)} ms (${released} releases)`
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
try {
  const path = join(folder, 'run.sftrace')
  await recordHere(path, () => Promise.all(ITEMS.map(i => fetchOne({ i }))), here)
  process.stdout.write(`Node ${process.version}, idle releases beside\n`)
  for (const beside of Object.keys(BESIDE)) process.stdout.write(`  ${await measure(path, beside)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
