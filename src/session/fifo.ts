/** A queue with O(1) `shift`, also with 100,000 entries (an array's own `shift` moves them all). */
export interface Fifo<T> {
  push(value: T): void
  shift(): T | null
  readonly length: number
}

export function createFifo<T>(): Fifo<T> {
  let items: T[] = []
  let head = 0
  return {
    push: value => void items.push(value),
    shift: () => {
      if (head === items.length) return null
      const value = items[head++]!
      if (head > 64 && head * 2 > items.length) {
        items = items.slice(head)
        head = 0
      }
      return value
    },
    get length() {
      return items.length - head
    },
  }
}
