import { readFileSync } from 'node:fs'
import { StepforkError } from './errors.ts'
import { type AgentBundle, bundleAgent } from './load/bundle-agent.ts'
import { findAgent } from './load/find-agent.ts'
import { isCommonJs } from './load/package-scope.ts'
import { tsxArguments } from './load/tsx-loader.ts'

/** What the user names with `--agent`: a file and, behind `#`, one of its exports. */
export interface AgentSpec {
  readonly file: string
  readonly export: string | null
}

/** The agent made ready to be started, by whichever loader. */
export interface LoadedAgent {
  /** Absolute path of the user's file. */
  readonly file: string
  /** What the process imports. */
  readonly code: string
  readonly isScript: boolean | null
  /** For stack positions; null when the file runs as it is. */
  readonly bundle: AgentBundle | null
  dispose(): void
}

export type Loader = 'bundle' | 'tsx'

/** `file#export`; a `#` that belongs to the path of an existing file is not cut off. */
export function parseAgentSpec(text: string): AgentSpec {
  const hash = text.lastIndexOf('#')
  if (hash <= 0 || hash < text.lastIndexOf('/')) return { file: text, export: null }
  return { file: text.slice(0, hash), export: text.slice(hash + 1) || null }
}

/** Throws AGENT_NOT_FOUND, AGENT_SYNTAX, AGENT_IMPORT_FAILED, WRITE_FAILED. */
export async function loadAgent(spec: AgentSpec, loader: Loader): Promise<LoadedAgent> {
  if (loader === 'tsx') {
    const file = findAgent(spec.file)
    return { file, code: file, isScript: isScript(file, null, spec), bundle: null, dispose: () => {} }
  }
  const bundle = await bundleAgent(spec.file, { stepforkDoor: new URL('./index.js', import.meta.url).href })
  if (spec.export !== null && bundle.exports !== null && !bundle.exports.includes(spec.export)) {
    bundle.dispose()
    throw noSuchExport(spec, bundle.exports)
  }
  const { file, code, exports, dispose } = bundle
  return { file, code, isScript: isScript(file, exports, spec), bundle, dispose }
}

/** Options for node that the loader needs. */
export function loaderArguments(spec: AgentSpec, loader: Loader): ReturnType<typeof tsxArguments> {
  return loader === 'tsx' ? tsxArguments(spec.file) : { execArgv: [], env: {} }
}

/** A file that exports nothing. CommonJS does not say so without running, so its text is asked. */
function isScript(file: string, exports: readonly string[] | null, spec: AgentSpec): boolean {
  if (spec.export !== null) return false
  if (exports !== null && !isCommonJs(file)) return exports.length === 0
  return !/\bmodule\.exports\b|\bexports\s*[.[]|^\s*export\b/m.test(readFileSync(file, 'utf8'))
}

function noSuchExport(spec: AgentSpec, exports: readonly string[]): StepforkError {
  return new StepforkError(
    'AGENT_NO_ENTRY',
    `${spec.file} has no export "${spec.export}"`,
    exports.length === 0 ? 'It exports nothing.' : `It exports ${exports.join(', ')}.`,
  )
}
