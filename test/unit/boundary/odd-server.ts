import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface OddServer {
  readonly http: string
  readonly https: string
  /** The certificate of https. */
  readonly ca: string
  /** What was asked since the last look. */
  readonly log: () => Promise<readonly Asked[]>
  readonly stop: () => void
}

export interface Asked {
  readonly path: string
  readonly method: string
  /** Parts written of those answers that come in parts. */
  readonly written: number
  readonly closedEarly: boolean
  readonly trailers: Record<string, string>
}

/** In a process of its own, as what a process says to its own ports is no call. */
export async function startOddServer(): Promise<OddServer> {
  const child = fork(join(import.meta.dirname, 'odd-server.mjs'), { execArgv: [] })
  const [[http, https, ca]] = (await once(child, 'message')) as [[number, number, string]]
  return {
    http: `http://127.0.0.1:${http}`,
    https: `https://127.0.0.1:${https}`,
    ca,
    log: async () => {
      child.send('log')
      const [log] = await once(child, 'message')
      return log as Asked[]
    },
    stop: () => child.disconnect(),
  }
}
