/**
 * Whose code asks for a random number or the time: the package, if one did, and the function of the agent's own that it did
 * so for. By names, not lines, and without the file's name, so that it is the same with every loader and after an edit above.
 */
import { fileURLToPath } from 'node:url'

/** What lies between an agent and what it draws: a library or two. */
const FRAMES = 8

const PACKAGE = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/.][^\\/]*)/

/** The site above `entry` on the stack; null when Node itself asks, or we do. An alias of Node's for it does not count. */
export function codeSite(entry: (...args: never[]) => unknown): string | null {
  const frames = framesAbove(entry)
  const [first, ...others] = frames.slice(frames.findIndex(frame => !isAlias(frame, entry)))
  if (first === undefined || isOfRuntime(fileOf(first))) return null
  const package_ = PACKAGE.exec(fileOf(first))?.[1]
  if (package_ === undefined) return nameOf(first) ?? firstName(others)
  const agent = others.find(isOfAgent)
  return `${package_} ${agent === undefined ? (nameOf(first) ?? '') : nameOf(agent)}`
}

/** What of Node's only hands on: the function of the same name elsewhere, and what `promisify` makes. */
function isAlias(frame: NodeJS.CallSite, entry: (...args: never[]) => unknown): boolean {
  const file = fileOf(frame)
  if (file === 'node:internal/util' || file === '') return true
  return file.startsWith('node:') && nameOf(frame) === entry.name
}

/** A callback without a name is told by the function that it stands in. */
function firstName(frames: readonly NodeJS.CallSite[]): string {
  for (const frame of frames) {
    const name = isOfAgent(frame) ? nameOf(frame) : null
    if (name !== null) return name
  }
  return 'top'
}

function nameOf(frame: NodeJS.CallSite): string | null {
  return frame.getFunctionName()
}

function isOfAgent(frame: NodeJS.CallSite): boolean {
  const file = fileOf(frame)
  return !isOfRuntime(file) && !PACKAGE.test(file)
}

function fileOf(frame: NodeJS.CallSite): string {
  return frame.getFileName() ?? ''
}

/** A module is named by its URL, a CommonJS file by its path. */
const OWN: readonly string[] = [import.meta.url, fileURLToPath(import.meta.url)]

function isOfRuntime(file: string): boolean {
  return OWN.includes(file) || file === '' || file.startsWith('node:')
}

function framesAbove(entry: (...args: never[]) => unknown): readonly NodeJS.CallSite[] {
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
