/**
 * Turns "has at least these members" into equality, so that it can be looked up: arguments match a subset exactly when
 * they equal it after everything is cut off that the subset does not name.
 */
import { isJsonObject, type Json, type JsonObject, setMember } from '../json/value.ts'

/** The names of a subset: for an object its members, for anything else null. */
export interface Outline {
  readonly [name: string]: Outline | null
}

export function outlineOf(args: JsonObject): Outline {
  const outline: Record<string, Outline | null> = {}
  for (const [name, value] of Object.entries(args))
    setMember(outline, name, isJsonObject(value) ? outlineOf(value) : null)
  return outline
}

/** What of `args` the outline names; what is missing stays missing, and what is no object stays as it is. */
export function project(args: JsonObject, outline: Outline): JsonObject {
  const kept: Record<string, Json> = {}
  for (const name of Object.keys(outline)) {
    if (!Object.hasOwn(args, name)) continue
    const value = args[name]!
    const below = outline[name]!
    setMember(kept, name, below !== null && isJsonObject(value) ? project(value, below) : value)
  }
  return kept
}
