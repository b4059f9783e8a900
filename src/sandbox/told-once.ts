/** Passes on what is told, each once, and not while a call is open that it is part of. */
export function toldOnce(tell: (what: string) => void, isPartOfCall: () => boolean): (what: string) => void {
  const told = new Set<string>()
  return what => {
    if (told.has(what) || isPartOfCall()) return
    told.add(what)
    tell(what)
  }
}
