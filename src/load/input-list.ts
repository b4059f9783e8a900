import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AgentBundle } from './bundle-agent.ts'
import { showPath } from './show-path.ts'

/** A source file of the agent and the digest of its bytes. */
export interface SourceFile {
  /** Relative to the working directory, with forward slashes. */
  readonly file: string
  /** Lower-case hex; null when the file is gone since it was bundled. */
  readonly sha256: string | null
}

/** The agent's code version: every source file that went into the bundle, the agent first. */
export function inputList(bundle: AgentBundle, cwd: string): Promise<readonly SourceFile[]> {
  return Promise.all(
    bundle.inputs.map(async path => ({ file: showPath(path, cwd), sha256: await digestOf(path) })),
  )
}

async function digestOf(path: string): Promise<string | null> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  } catch {
    return null
  }
}
