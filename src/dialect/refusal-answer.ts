import type { Exchange, ReadRequest } from '../trace/exchange.ts'
export function refusalAnswer(_read: ReadRequest, message: string): Exchange {
  return {
    layer: 'fetch',
    head: { status: 400, statusText: 'Bad Request', headers: [['x-should-retry', 'false']] },
    chunks: [JSON.stringify({ error: { message } })],
  }
}
