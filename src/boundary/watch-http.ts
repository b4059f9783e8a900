import { watchListening } from '../own-ports.ts'
import { watchClientRequests } from './http-client-request.ts'
import { watchDispatchers } from './http-dispatcher.ts'
import { watchFetch } from './http-fetch.ts'

let watchers = 0
let layers: (() => void)[] = []

/**
 * Watches all ways in which code of this process sends HTTP requests, for the runs that are going on. Runs may overlap: the
 * returned function ends it for one of them, and the last one takes everything back.
 */
export function watchHttp(): () => void {
  if (watchers++ === 0) layers = [watchListening(), watchFetch(), watchDispatchers(), watchClientRequests()]
  let isOn = true
  return () => {
    if (isOn && --watchers === 0) for (const undo of layers.reverse()) undo()
    isOn = false
  }
}
