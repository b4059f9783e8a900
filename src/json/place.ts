import { pointer } from './pointer.ts'

/** The way from the top to a value, by the keys of its plain form; text is made of it only when it is told. */
export interface Place {
  readonly above: Place | null
  readonly key: string | number
  readonly holder: object
  readonly depth: number
}

export function placeBelow(above: Place | null, key: string | number, holder: object, levels = 1): Place {
  return { above, key, holder, depth: (above?.depth ?? 0) + levels }
}

/** Only nesting of the same object can be endless; the walk up is short, as values are flat. */
export function isHeldBy(value: object, place: Place | null): boolean {
  for (let at = place; at !== null; at = at.above) if (at.holder === value) return true
  return false
}

/** As in code: `$.items[0].price`. */
export function pathOf(place: Place | null): string {
  if (place === null) return '$'
  const above = pathOf(place.above)
  if (typeof place.key === 'number') return `${above}[${place.key}]`
  return /^[A-Za-z_$][\w$]*$/.test(place.key)
    ? `${above}.${place.key}`
    : `${above}[${JSON.stringify(place.key)}]`
}

export function pointerOf(place: Place | null): string {
  const parts: (string | number)[] = []
  for (let at = place; at !== null; at = at.above) parts.push(at.key)
  return pointer(parts.reverse())
}
