/** The shop behind the desk: its tools, in memory and with a little delay, as a network would have. */
import { setTimeout as delay } from 'node:timers/promises'

export interface Order {
  readonly order_id: string
  readonly customer_id: string
  readonly item: string
  readonly paid: number
  readonly status: 'delivered' | 'delivered damaged' | 'refunded'
}

const ORDERS = new Map<string, Order>([
  ['A-17', { order_id: 'A-17', customer_id: 'c-9', item: 'teapot', paid: 42.5, status: 'delivered damaged' }],
])

export async function findOrder({ order_id }: { order_id: string }): Promise<Order> {
  await delay(30)
  return known(order_id)
}

export async function findCustomer({ customer_id }: { customer_id: string }) {
  await delay(20)
  return { customer_id, orders: 12, refunds: 0 }
}

export async function refund({ order_id, amount }: { order_id: string; amount: number }) {
  await delay(25)
  const order = known(order_id)
  ORDERS.set(order_id, { ...order, status: 'refunded' })
  return { refund_id: `R-${order_id}`, amount, currency: 'EUR' }
}

function known(order_id: string): Order {
  const order = ORDERS.get(order_id)
  if (order === undefined) throw new Error(`there is no order ${order_id}`)
  return order
}
