/**
 * Whose code asks for a random number or the time: the package, if one did, and the function of the agent's own that it did
 * so for. By names, not lines, and without the file's name, so that it is the same with every loader and after an edit above.
 */
import { fileURLToPath } from 'node:url'

/** What lies between an agent and what it draws: a library or two. */
const FRAMES = 8

const PACKAGE = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/.][^\\/]*)/

/** The site above `entry` on the stack; null when Node itself asks. */
export function codeSite(entry: Entry): string | null {
  const frames = framesAbove(entry)
  const from = frames.findIndex(frame => !isAlias(frame, entry))
  const first = frames[from]
  if (first === undefined) return null
  const owner = ownerOf(first)
  if (owner.kind === 'runtime') return null
  const name = first.getFunctionName()
  if (owner.kind === 'agent') return name ?? agentName(frames, from + 1) ?? 'top'
  return `${owner.name} ${agentName(frames, from + 1) ?? name ?? ''}`
}

type Entry = (...args: never[]) => unknown

/** What only hands on: we, the function of the same name elsewhere in Node, and what `promisify` makes. */
function isAlias(frame: NodeJS.CallSite, entry: Entry): boolean {
  const file = frame.getFileName() ?? ''
  if (file === 'node:internal/util' || file === '' || OWN.includes(file)) return true
  return file.startsWith('node:') && frame.getFunctionName() === entry.name
}

/** A callback without a name is told by the function that it stands in. */
function agentName(frames: readonly NodeJS.CallSite[], from: number): string | null {
  for (let at = from; at < frames.length; at++) {
    const frame = frames[at]!
    const name = ownerOf(frame).kind === 'agent' ? frame.getFunctionName() : null
    if (name !== null) return name
  }
  return null
}

type Owner =
  | { readonly kind: 'agent' }
  | { readonly kind: 'runtime' }
  | { readonly kind: 'package'; readonly name: string }

/** A module is named by its URL, a CommonJS file by its path. */
const OWN: readonly string[] = [import.meta.url, fileURLToPath(import.meta.url)]

const owners = new Map<string, Owner>()

function ownerOf(frame: NodeJS.CallSite): Owner {
  const file = frame.getFileName() ?? ''
  const known = owners.get(file)
  if (known !== undefined) return known
  const name = PACKAGE.exec(file)?.[1]
  const isRuntime = OWN.includes(file) || file === '' || file.startsWith('node:')
  const owner: Owner = isRuntime
    ? { kind: 'runtime' }
    : name === undefined
      ? { kind: 'agent' }
      : { kind: 'package', name }
  owners.set(file, owner)
  return owner
}

function framesAbove(entry: Entry): readonly NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error
  const holder: { stack?: readonly NodeJS.CallSite[] } = {}
  Error.stackTraceLimit = FRAMES
  Error.prepareStackTrace = keepFrames
  Error.captureStackTrace(holder, entry)
  // Made when it is looked at.
  const frames = holder.stack ?? []
  Error.stackTraceLimit = stackTraceLimit
  Error.prepareStackTrace = prepareStackTrace
  return frames
}

function keepFrames(_: unknown, frames: NodeJS.CallSite[]): readonly NodeJS.CallSite[] {
  return frames
}
