/** What a test agent works with: traced tools by name, and local work that no tool sees. */
import { pbkdf2 } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { traceTool } from '../../src/boundary/trace-tool.ts'
import type { World } from './world.ts'

export interface Toolbox {
  /** Rejects with the reason of the signal when it aborts. */
  call(tool: string, input: object, signal?: AbortSignal): Promise<number>
  callNow(tool: string, input: object): number
  stream(tool: string, input: object): AsyncGenerator<number>
  /** A few milliseconds of local work of one kind or another, other ones in each run. */
  localWork(): Promise<void>
}

export type Agent = (tools: Toolbox) => Promise<unknown>

export function createToolbox(trace: typeof traceTool, world: World, random: () => number): Toolbox {
  const asynchronous = memo(tool =>
    trace(tool, async ({ signal, ...input }: { readonly signal?: AbortSignal }) =>
      world.ask(tool, input, signal),
    ),
  )
  const synchronous = memo(tool => trace(tool, (input: object) => world.askNow(tool, input)))
  const streams = memo(tool =>
    trace(tool, async function* (input: object): AsyncGenerator<number> {
      yield* world.listen(tool, input)
    }),
  )
  return {
    call: (tool, input, signal) => asynchronous(tool)(signal === undefined ? input : { ...input, signal }),
    callNow: (tool, input) => synchronous(tool)(input),
    stream: (tool, input) => streams(tool)(input),
    localWork: () => LOCAL_WORK[Math.floor(random() * LOCAL_WORK.length)]!(random),
  }
}

function memo<T>(make: (tool: string) => T): (tool: string) => T {
  const made = new Map<string, T>()
  return tool => {
    const known = made.get(tool) ?? make(tool)
    made.set(tool, known)
    return known
  }
}

const LOCAL_WORK: readonly ((random: () => number) => Promise<void>)[] = [
  async () => void (await stat('/tmp')),
  async () => void (await readFile('/etc/hosts')),
  async () => void (await promisify(gzip)('x'.repeat(20_000))),
  async () => void (await crypto.subtle.digest('SHA-256', new Uint8Array(30_000))),
  async () => void (await promisify(pbkdf2)('a', 'b', 2000, 32, 'sha256')),
  random => pause(random() * 6),
]

export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
