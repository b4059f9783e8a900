import type { Exchange, ReadRequest } from '../trace/exchange.ts'
import { errorBody } from './error-body.ts'
import { jsonExchange } from './made-exchange.ts'

/**
 * The answer to a request that a replay refuses. A request that is wrong is not sent again by any SDK; if `fetch` rejected
 * instead, each would try three times.
 */
export function refusalAnswer(read: ReadRequest, message: string): Exchange {
  return jsonExchange(400, errorBody(read, 400, message, 'stepfork_refused'), [['x-should-retry', 'false']])
}
