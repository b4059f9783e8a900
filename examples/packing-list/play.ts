/** Runs an export of world-agent.ts against the cassette: `node --import tsx examples/packing-list/play.ts pack`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCassette, runAgent } from 'stepfork/testing'

const file = (name: string): string => join(import.meta.dirname, name)
const name = process.argv[2] ?? 'pack'
const cassette = parseCassette(readFileSync(file('oslo.cassette.json'), 'utf8'))
const run = await runAgent(`${file('world-agent.ts')}#${name}`, cassette, { timeout: 2, maxSteps: 20 })

process.stdout.write(`outcome    ${run.trace.outcome}, ${run.trace.steps.length} steps\n`)
process.stdout.write(`failure    ${run.failure === null ? 'none' : run.failure.reason}\n`)
process.stdout.write(`consumed   ${run.consumed.map(({ tool }) => tool).join(', ')}\n`)
process.stdout.write(`remaining  ${run.remaining.map(({ tool }) => tool).join(', ')}\n`)
process.stdout.write(`misses     ${run.misses.length}\n`)
