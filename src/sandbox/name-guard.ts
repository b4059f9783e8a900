/** Name queries of node:dns, by its functions and by resolvers of their own. */
import dns from 'node:dns'
import net from 'node:net'
import { isLoopback } from '../own-ports.ts'
import { patch } from '../patch.ts'
import type { OpenAddresses } from './open-addresses.ts'
import type { Refuse } from './refuse.ts'

const QUERIES = [
  'resolve',
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveCaa',
  'resolveCname',
  'resolveMx',
  'resolveNaptr',
  'resolveNs',
  'resolvePtr',
  'resolveSoa',
  'resolveSrv',
  'resolveTlsa',
  'resolveTxt',
  'reverse',
]

type Place = { [name: string]: (this: unknown, ...args: unknown[]) => unknown }

export function guardNames(open: OpenAddresses, refuse: Refuse): (() => void)[] {
  const withCallback = [dns, dns.Resolver.prototype] as unknown as Place[]
  const withPromise = [dns.promises, dns.promises.Resolver.prototype] as unknown as Place[]
  return [
    ...withCallback.flatMap(place => guard(place, (args, error) => callBack(args, error))),
    ...withPromise.flatMap(place => guard(place, (_, error) => Promise.reject(error))),
  ]

  function guard(place: Place, answer: (args: readonly unknown[], error: Error) => unknown): (() => void)[] {
    const names = ['lookup', 'lookupService', ...QUERIES].filter(name => typeof place[name] === 'function')
    return names.map(name =>
      patch(place, name, original => {
        return function (...args) {
          if (isOpen(name, args[0])) return original!.apply(this, args)
          return answer(args, refuse(`a name query for ${args[0]}`))
        }
      }),
    )
  }

  /** `lookup` asks nobody for an address or for this machine; the others always ask a server. */
  function isOpen(query: string, name: unknown): boolean {
    // Not a name: Node's own sentence says so.
    if (typeof name !== 'string' || open.hasHost(name)) return true
    return query === 'lookup' && (isLoopback(name) || net.isIP(name) !== 0)
  }
}

function callBack(args: readonly unknown[], error: Error): void {
  process.nextTick(args.at(-1) as (error: Error) => void, error)
}
