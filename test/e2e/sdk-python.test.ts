/**
 * A run recorded through llmRequest or by the Python package is replayed by the same agent on the real openai package, and the
 * other way round. STEPFORK_PYTHON as in python-interop.test.ts.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { KEYS, NOTHING_SET, startServer } from './sdk-world.ts'
import { changedText, fixtureAgent, fixtureBundle, recordIn, workspace, writeFiles } from './workspace.ts'

const PYTHON = process.env.STEPFORK_PYTHON
const QUESTION = 'Where is order A-17?'

/** The agent of a fixture as its author would write it: the model is asked through its SDK, not through llmRequest. */
function onSdk(name: string): string {
  const text = readFileSync(fixtureAgent(name), 'utf8')
  const body = text.slice(text.indexOf('  const input = {'), text.indexOf('export async function run'))
  return changedText(text, [
    [
      "import { llmRequest, traceTool } from 'stepfork'",
      "import OpenAI from 'openai'\nimport { traceTool } from 'stepfork'\n\nconst client = new OpenAI()",
    ],
    [
      body,
      '  return client.chat.completions.create(request as never) as unknown as Promise<Completion>\n}\n\n',
    ],
  ])
}

function folderWith(agent: string): string {
  const folder = workspace({ 'agent.ts': agent })
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  return folder
}

describe('an agent on the openai package', () => {
  it.each(['openai_key_order', 'openai_two_turns'])('replays what Python recorded: %s', async name => {
    const folder = folderWith(onSdk(name))
    const args = [fixtureBundle(name), '--agent', 'agent.ts']
    const { code, run } = await replayJson(args, { cwd: folder, env: NOTHING_SET })
    expect([code, causesOf(run), run.totals.matched, run.output.equal]).toEqual([0, [], 3, true])
  })

  it('replays what was recorded through llmRequest', async () => {
    const answers = [
      {
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_order', arguments: '{"order_id":"A-17"}' },
          },
        ],
      },
      { content: 'Soon.' },
    ]
    const text = changedText(readFileSync(fixtureAgent('openai_key_order'), 'utf8'), [
      [
        "throw new Error('the client was called')",
        `return { id: 'c', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', ...answers[turn++] } }] } as never`,
      ],
      [
        'const getOrder',
        `let turn = 0\nconst answers: object[] = ${JSON.stringify(answers)}\nconst getOrder`,
      ],
    ])
    const recorded = workspace({ 'agent.ts': text })
    await recordIn(recorded, ['--input', QUESTION])
    const folder = folderWith(onSdk('openai_key_order'))
    const args = [join(recorded, 'run.sftrace'), '--agent', 'agent.ts']
    const { code, run } = await replayJson(args, { cwd: folder, env: NOTHING_SET })
    expect([code, causesOf(run), run.totals.matched, run.output.equal]).toEqual([0, [], 3, true])
  })
})

const PYTHON_AGENT = `
import json
from stepfork import trace_tool
from stepfork.integrations.openai import chat_completions_create

class Nobody:
    class chat:
        class completions:
            @staticmethod
            def create(**request):
                raise RuntimeError("the client was called")

@trace_tool
def get_order(order_id):
    return {"order_id": order_id, "state": "shipped", "eta_days": 2}

TOOLS = [{"type": "function", "function": {"name": "get_order", "description": "Look up an order by its id.",
          "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}}}]

def run_agent():
    messages = [{"role": "system", "content": "You answer questions about orders. Use the tools."},
                {"role": "user", "content": "${QUESTION}"}]
    while True:
        answer = chat_completions_create(Nobody, model="gpt-4o-mini", messages=messages, tools=TOOLS, temperature=0)
        message = answer["choices"][0]["message"]
        messages.append(message)
        if "tool_calls" not in message:
            return {"answer": message["content"], "turns": len(messages)}
        for call in message["tool_calls"]:
            order = get_order(**json.loads(call["function"]["arguments"]))
            content = json.dumps(order, separators=(",", ":"), sort_keys=True)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
`

describe.skipIf(PYTHON === undefined)('a recorded agent on the openai package', () => {
  it('is valid, inspected and replayed by Python, through its adapter', async () => {
    const folder = folderWith(onSdk('openai_two_turns'))
    const world = await startServer('world.mjs')
    try {
      const env = { ...NOTHING_SET, ...KEYS, OPENAI_BASE_URL: `${world.urls.models}/v1` }
      await recordIn(folder, ['--input', QUESTION, '--redaction', 'compatible'], { env })
    } finally {
      await world.stop()
    }
    const python = (...args: readonly string[]) => {
      const env = { ...process.env, NO_COLOR: '1', COLUMNS: '200', PYTHONDONTWRITEBYTECODE: '1' }
      const { status, stdout, stderr } = spawnSync(PYTHON!, ['-m', 'stepfork', ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
      })
      return { status, text: stdout + stderr }
    }
    writeFiles(folder, { 'agent.py': PYTHON_AGENT })
    expect(python('validate', 'run.sftrace', '--verify-integrity')).toMatchObject({ status: 0 })
    const inspected = JSON.parse(python('inspect', 'run.sftrace', '--json').text)
    expect(inspected).toMatchObject({ status: 'completed', llm_calls: 2, tool_calls: 1 })
    expect(JSON.parse((await runCli(['inspect', 'run.sftrace', '--json'], { cwd: folder })).stdout)).toEqual(
      inspected,
    )
    const replayed = python('replay', 'run.sftrace', '--entrypoint', 'agent:run_agent')
    expect(replayed).toMatchObject({ status: 0, text: expect.stringContaining('MATCHED') })
  })
})
