/**
 * Bundles go both ways: what we record is validated, inspected and replayed by the Python package, what it records by us.
 * STEPFORK_PYTHON names a python that has it (`pip install stepfork==0.2.1`); without it these tests say that they did not run.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { recordIn, workspace } from './workspace.ts'

const PYTHON = process.env.STEPFORK_PYTHON
const ENV = { ...process.env, NO_COLOR: '1', COLUMNS: '200', PYTHONDONTWRITEBYTECODE: '1' }

if (PYTHON === undefined)
  process.stderr.write(
    '\n  NOT RUN: interop with Python. Set STEPFORK_PYTHON to a python with stepfork 0.2.1.\n\n',
  )

/** Two tools and a model; a default, a failure that is caught, text beyond ASCII. Once for each side. */
const TS_AGENT = `
import { llmRequest, traceTool } from 'stepfork'
const find = traceTool('find', async (city: string, limit = 2) => [{ id: 1, city, price: 180.5 }, { id: 2, city, price: limit }], { params: { city: undefined, limit: 2 } })
const book = traceTool('book', async ({ id }: { id: number }): Promise<object> => {
  if (id === 2) throw Object.assign(new Error('sold out'), { name: 'SoldOut', code: 410 })
  return { id, seat: null, note: 'काठमाडौँ 😀' }
})
export async function run(question: string) {
  const rooms = await find('Lisbon')
  const problems: string[] = []
  let booking: object = {}
  for (const { id } of [...rooms].reverse()) {
    try {
      booking = await book({ id })
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  const input = { messages: [{ role: 'user', content: question }], temperature: 0.2 }
  const reply = await llmRequest({ provider: 'acme', model: 'm-1', input }, async () => ({ text: 'booked', usage: { prompt_tokens: 9, completion_tokens: 1 } }))
  return { booking, problems, text: reply.text, password: 'hunter2hunter2' }
}
`

const PYTHON_AGENT = `
import sys
from stepfork import llm_request, record, trace_tool

class SoldOut(Exception):
    pass

@trace_tool
def find(city, limit=2):
    return [{"id": 1, "city": city, "price": 180.5}, {"id": 2, "city": city, "price": limit}]

@trace_tool
def book(id):
    if id == 2:
        raise SoldOut("sold out")
    return {"id": id, "seat": None, "note": "काठमाडौँ 😀"}

def run_agent():
    rooms = find("Lisbon")
    problems, booking = [], {}
    for room in reversed(rooms):
        try:
            booking = book(room["id"])
        except Exception as error:
            problems.append("sold out" if "sold out" in str(error) else str(error))
    reply = llm_request(provider="acme", model="m-1", input={"messages": [{"role": "user", "content": "a room"}], "temperature": 0.2}, call=lambda: {"text": "booked", "usage": {"prompt_tokens": 9, "completion_tokens": 1}})
    return {"booking": booking, "problems": problems, "text": reply["text"], "password": "hunter2hunter2"}

if __name__ == "__main__":
    with record("rooms", output=sys.argv[1], run_input="a room") as session:
        session.set_output(run_agent())
`

describe.skipIf(PYTHON === undefined)('a bundle that we recorded', () => {
  it('is valid and whole for the Python package, and replayed by its agent to the recorded output', async () => {
    const folder = workspace({ 'agent.ts': TS_AGENT, 'agent.py': PYTHON_AGENT })
    await recordIn(folder, ['--input', 'a room', '--redaction', 'compatible'])
    const validated = python(folder, 'validate', 'run.sftrace', '--verify-integrity')
    expect([validated.status, validated.stdout]).toEqual([0, expect.stringContaining('VERIFIED')])
    const inspected = JSON.parse(python(folder, 'inspect', 'run.sftrace', '--json').stdout)
    expect(inspected).toMatchObject({ agent_name: 'agent', status: 'completed', llm_calls: 1, tool_calls: 3 })
    const replayed = python(folder, 'replay', 'run.sftrace', '--entrypoint', 'agent:run_agent')
    expect([replayed.status, replayed.stdout]).toEqual([0, expect.stringContaining('MATCHED')])
    expect(replayed.stdout).toMatch(/Dependency matching:\s+COMPLETE/)
  })

  it('is told by inspect --json in the same words as by the Python package', async () => {
    const folder = workspace({ 'agent.ts': TS_AGENT })
    await recordIn(folder, ['--input', 'a room'])
    const theirs = JSON.parse(python(folder, 'inspect', 'run.sftrace', '--json').stdout)
    const ours = JSON.parse((await runCli(['inspect', 'run.sftrace', '--json'], { cwd: folder })).stdout)
    expect(ours).toEqual(theirs)
  })

  it('of a failed run reproduces its failure in Python, too', async () => {
    const folder = workspace({
      'agent.ts':
        "import { traceTool } from 'stepfork'\nconst look = traceTool('look', async ({ n }: { n: number }) => n)\nexport async function run() {\n  await look({ n: 1 })\n  throw Object.assign(new Error('enough'), { name: 'ValueError' })\n}\n",
      'agent.py':
        'from stepfork import trace_tool\n\n@trace_tool\ndef look(n):\n    return n\n\ndef run_agent():\n    look(1)\n    raise ValueError("enough")\n',
    })
    await recordIn(folder)
    const replayed = python(folder, 'replay', 'run.sftrace', '--entrypoint', 'agent:run_agent')
    expect([replayed.status, replayed.stdout]).toEqual([0, expect.stringContaining('REPRODUCED FAILURE')])
  })

  it('with concurrent, nested, streamed and undefined results is valid for the Python package', async () => {
    const folder = workspace({
      'agent.ts': `
import { traceTool } from 'stepfork'
const inner = traceTool('inner', async ({ n }: { n: number }) => (n === 1 ? undefined : n))
const outer = traceTool('outer', async ({ n }: { n: number }) => [await inner({ n }), await inner({ n: n + 1 })])
const words = traceTool('words', async function* () { yield 'a'; yield 'b'; return 2 })
export async function run() {
  const both = await Promise.all([outer({ n: 1 }), outer({ n: 5 })])
  const seen: string[] = []
  for await (const word of words()) seen.push(word)
  return { both: both.length, seen }
}
`,
    })
    await recordIn(folder)
    const validated = python(folder, 'validate', 'run.sftrace', '--verify-integrity')
    expect([validated.status, validated.stdout]).toEqual([0, expect.stringContaining('VERIFIED')])
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([0, []])
  })
})

describe.skipIf(PYTHON === undefined)('values that JSON cannot carry', () => {
  const tool = (body: string): string => `
import { traceTool } from 'stepfork'
const look = traceTool('look', async (_input: { at: Date; ids: Map<string, bigint> }) => ${body})
export async function run() {
  return await look({ at: new Date('2026-12-01T08:00:00Z'), ids: new Map([['a', 7n]]) })
}
`

  it('are plain JSON for the Python package, whose agent is answered from them', async () => {
    const folder = workspace({
      'agent.ts': tool(
        "({ until: new Date(0), bytes: Buffer.from('hi'), odd: [NaN, undefined], set: new Set([1]) })",
      ),
      'agent.py': `
from stepfork import trace_tool

@trace_tool
def look(at, ids):
    return None

def run_agent():
    found = look("2026-12-01T08:00:00.000Z", {"a": 7})
    assert found == {"until": "1970-01-01T00:00:00.000Z", "bytes": "aGk=", "odd": ["NaN", None], "set": [1]}, found
    return found
`,
    })
    await recordIn(folder)
    const validated = python(folder, 'validate', 'run.sftrace', '--verify-integrity')
    expect([validated.status, validated.stdout]).toEqual([0, expect.stringContaining('VERIFIED')])
    const replayed = python(folder, 'replay', 'run.sftrace', '--entrypoint', 'agent:run_agent')
    expect([replayed.status, replayed.stdout]).toEqual([0, expect.stringContaining('MATCHED')])
  })

  it('are compared by their plain form with a bundle that Python recorded', async () => {
    const folder = workspace({
      'agent.ts': tool('1'),
      'agent.py': `
from stepfork import record, trace_tool

@trace_tool
def look(at, ids):
    return 1

with record("look", output="theirs.sftrace") as session:
    session.set_output(look("2026-12-01T08:00:00.000Z", {"a": 7}))
`,
    })
    execFileSync(PYTHON!, ['agent.py'], { cwd: folder, env: ENV })
    const { code, run } = await replayJson(['theirs.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([0, []])
  })
})

describe.skipIf(PYTHON === undefined)('a bundle that the Python package recorded', () => {
  it('is valid and whole, and replayed by our agent to the recorded output', async () => {
    const folder = workspace({ 'agent.ts': TS_AGENT, 'agent.py': PYTHON_AGENT })
    execFileSync(PYTHON!, ['agent.py', 'theirs.sftrace'], { cwd: folder, env: ENV })
    const validated = await runCli(['validate', 'theirs.sftrace', '--verify-integrity'], { cwd: folder })
    expect(validated.code).toBe(0)
    const { code, run } = await replayJson(['theirs.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run), run.totals.matched, run.output.equal]).toEqual([0, [], 4, true])
  })

  it('is told by inspect --json in the same words as by the Python package', async () => {
    const folder = workspace({ 'agent.py': PYTHON_AGENT })
    execFileSync(PYTHON!, ['agent.py', 'theirs.sftrace'], { cwd: folder, env: ENV })
    const theirs = JSON.parse(python(folder, 'inspect', 'theirs.sftrace', '--json').stdout)
    const ours = JSON.parse((await runCli(['inspect', 'theirs.sftrace', '--json'], { cwd: folder })).stdout)
    expect(ours).toEqual(theirs)
  })
})

function python(folder: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(PYTHON!, ['-m', 'stepfork', ...args], {
    cwd: folder,
    env: ENV,
    encoding: 'utf8',
  })
  return { status, stdout: stdout + stderr }
}
