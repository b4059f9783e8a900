import { real } from '../patch.ts'

/** Tells turns of the event loop apart: the number of the present one, counted only while somebody asks. */
export function countLoopTurns(): () => number {
  let turn = 0
  let isCounting = false
  return () => {
    if (!isCounting) {
      isCounting = true
      const end = real.setImmediate(() => {
        isCounting = false
        turn++
      })
      end.unref()
    }
    return turn
  }
}
