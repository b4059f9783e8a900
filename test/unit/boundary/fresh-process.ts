import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const HERE = import.meta.dirname

/** Runs a module text in a process where nothing is loaded yet; what it prints. It lies in this folder. */
export async function inFreshProcess(code: string, ...args: string[]): Promise<string> {
  const file = join(HERE, `fresh-${process.pid}-${Date.now()}.mjs`)
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: HERE, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    external: ['undici', 'axios', 'got', 'node-fetch'],
  })
  await writeFile(file, outputFiles[0]!.contents)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file, ...args])
    return stdout
  } finally {
    await rm(file)
  }
}
