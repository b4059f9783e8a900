/** Two carriers in memory: the express one is down, as carriers are on the day one records them. */
import { setTimeout as delay } from 'node:timers/promises'

export interface Parcel {
  readonly city: string
  readonly kg: number
}

export interface Price {
  readonly carrier: string
  readonly eur: number
  readonly days: number
}

export class CarrierDown extends Error {
  override readonly name = 'CarrierDown'
  readonly status = 503
}

export async function expressPrice(parcel: Parcel): Promise<Price> {
  await delay(30)
  throw new CarrierDown(`no express service to ${parcel.city} at the moment`)
}

export async function standardPrice(_city: string, kg: number): Promise<Price> {
  await delay(20)
  return { carrier: 'standard', eur: 6 + 1.5 * kg, days: 4 }
}
