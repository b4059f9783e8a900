/** Imports bundles in a real Node process, as the agent's process does, and calls their `run`. */
import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = `
  const results = {}
  for (const [name, url] of Object.entries(JSON.parse(process.argv[1]))) {
    try {
      const module = await import(url)
      const entry = module.run ?? module.default?.run?.bind(module.default) ?? module.default
      results[name] = await entry()
    } catch (error) {
      results[name] = { error: String(error?.stack ?? error) }
    }
  }
  process.stdout.write(JSON.stringify(results))
`

/** Results by name; what an agent threw is \`{ error: stack }\`. */
export async function runBundles(codes: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const urls = Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, pathToFileURL(code).href]),
  )
  const node = ['--enable-source-maps', '--input-type=module', '-e', PROGRAM, JSON.stringify(urls)]
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: '/' })
  return JSON.parse(stdout)
}
