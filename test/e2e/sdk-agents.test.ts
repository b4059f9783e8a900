/**
 * Agents on real SDKs, as users write them, recorded against servers that nobody here wrote; then without the servers, without
 * keys and addresses, in another folder: matched, and red with the cause after a change of one line.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { type AgentFolder, agentFolder, type Changes, KEYS, NOTHING_SET, startServer } from './sdk-world.ts'

interface SdkAgent {
  readonly title: string
  readonly file: string
  /** The same agent with another version of its package. */
  readonly as?: Changes
  readonly input?: string
  /** It tells a server what it did. */
  readonly sendsTraces?: true
  readonly calls: readonly string[]
  readonly red: { readonly what: string; readonly changes: Changes; readonly causes: readonly string[] }
}

const WEATHER = `http GET \${WEATHER_URL}`
const QUESTION = 'What shall I wear in Lisbon and Oslo?'
const PROMPT: [string, string] = ['You help people to pack.', 'You help people to pack light.']

const CHAT_CALLS = [
  'openai/text-embedding-3-small',
  'openai/gpt-4o',
  WEATHER,
  WEATHER,
  'openai/gpt-4o',
  'openai/gpt-4o-mini',
]

const AI_CALLS = [
  'openai/gpt-4o',
  WEATHER,
  WEATHER,
  'openai/gpt-4o',
  'openai/gpt-4o-mini',
  WEATHER,
  WEATHER,
  'openai/gpt-4o-mini',
  'anthropic/claude-haiku-4-5',
]

const AGENTS: readonly SdkAgent[] = [
  {
    title: 'openai 7, chat completions',
    file: 'openai-chat',
    calls: CHAT_CALLS,
    red: {
      what: 'a town whose weather is not asked for',
      changes: [['calls.map(async', 'calls.slice(0, 1).map(async']],
      causes: ['extra'],
    },
  },
  {
    title: 'openai 6, chat completions',
    file: 'openai-chat',
    as: [["from 'openai'", "from 'openai-6'"]],
    calls: CHAT_CALLS,
    red: {
      what: 'another prompt',
      changes: [PROMPT],
      causes: ['changed-input 2 /request/messages/0/content'],
    },
  },
  {
    title: 'openai 7, responses',
    file: 'openai-responses',
    calls: ['openai/gpt-4o', WEATHER, WEATHER, 'openai/gpt-4o', 'openai/gpt-4o-mini'],
    red: {
      what: 'tools that are called in another order',
      changes: [['of calls)', 'of calls.reverse())']],
      causes: [
        'reordered 2',
        'changed-input 4 /request/input/3/call_id /request/input/3/output /request/input/4/call_id /request/input/4/output',
      ],
    },
  },
  {
    title: '@anthropic-ai/sdk 1',
    file: 'anthropic',
    calls: [
      'anthropic/claude-sonnet-4-5',
      WEATHER,
      WEATHER,
      'anthropic/claude-sonnet-4-5',
      'anthropic/claude-haiku-4-5',
    ],
    red: {
      what: 'another limit',
      changes: [['max_tokens: 200', 'max_tokens: 100']],
      causes: ['changed-input 5 /request/max_tokens'],
    },
  },
  {
    title: '@anthropic-ai/sdk 0',
    file: 'anthropic',
    as: [["from '@anthropic-ai/sdk'", "from '@anthropic-ai/sdk-0'"]],
    calls: [
      'anthropic/claude-sonnet-4-5',
      WEATHER,
      WEATHER,
      'anthropic/claude-sonnet-4-5',
      'anthropic/claude-haiku-4-5',
    ],
    red: {
      what: 'another prompt',
      changes: [PROMPT],
      causes: ['changed-input 1 /request/system'],
    },
  },
  {
    title: 'ai 6 with @ai-sdk/openai and @ai-sdk/anthropic, tools over axios',
    file: 'ai-sdk',
    calls: AI_CALLS,
    red: {
      what: 'another prompt',
      changes: [['two towns, please', 'two towns']],
      causes: ['changed-input 9 /request/messages/0/content/0/text'],
    },
  },
  {
    title: 'ai 7 with its providers',
    file: 'ai-sdk',
    as: [
      ["from 'ai'", "from 'ai-7'"],
      ["'@ai-sdk/openai'", "'@ai-sdk/openai-4'"],
      ["'@ai-sdk/anthropic'", "'@ai-sdk/anthropic-4'"],
    ],
    calls: AI_CALLS,
    red: {
      what: 'another prompt',
      changes: [PROMPT],
      causes: ['changed-input 1 /request/input/0/content'],
    },
  },
  {
    title: 'LangGraph.js and @langchain/openai, tools over got',
    file: 'langgraph',
    calls: ['openai/gpt-4o', WEATHER, WEATHER, 'openai/gpt-4o', 'openai/gpt-4o'],
    red: {
      what: 'another temperature',
      changes: [['temperature: 0', 'temperature: 0.5']],
      causes: ['changed-input 1 /request/temperature'],
    },
  },
  {
    title: '@openai/agents, tools over node-fetch',
    file: 'openai-agents',
    sendsTraces: true,
    calls: ['openai/gpt-4o', WEATHER, WEATHER, 'openai/gpt-4o', 'openai/gpt-4o'],
    red: {
      what: 'a tool that asks for something else',
      changes: [['now?city=', 'tomorrow?city=']],
      causes: ['changed-input 2 /path'],
    },
  },
  {
    title: 'fetch, axios, got, node-fetch, undici and node:http',
    file: 'http-clients',
    input: 'Oslo',
    calls: Array(8).fill(WEATHER),
    red: {
      what: 'a request that is not made',
      changes: [["['axios', 'got']", "['axios']"]],
      causes: ['missing 8', 'output-differs /errors/got'],
    },
  },
]

const folders: AgentFolder[] = []
const bundles = new Map<string, string>()
let traces: unknown

beforeAll(async () => {
  const world = await startServer('world.mjs')
  try {
    await Promise.all(AGENTS.map(agent => recordAgent(agent, world.urls)))
    traces = await (await fetch(`${world.urls.plain}/traces-seen`)).json()
  } finally {
    await world.stop()
  }
}, 180_000)
afterAll(() => {
  for (const folder of folders) folder.dispose()
})

describe.each(AGENTS)('$title', agent => {
  const replay = (changes: Changes, env: NodeJS.ProcessEnv = NOTHING_SET) => {
    const { path } = folderOf(agent, changes)
    return replayJson([bundles.get(agent.title)!, '--agent', 'agent.ts'], { cwd: path, env })
  }

  it('replays without server, key or address: every call matched, none recorded twice', async () => {
    const { code, run } = await replay([])
    expect([code, causesOf(run)]).toEqual([0, []])
    expect(run).toMatchObject({ verdict: 'matched', liveCalls: 0, output: { compared: true, equal: true } })
    expect(run.calls.map(({ label, verdict }) => [label, verdict])).toEqual(
      agent.calls.map(label => [label, 'matched']),
    )
    expect(run.notes.some(({ code }) => code === 'telemetry-answered')).toBe(agent.sendsTraces === true)
  })

  it(`is red with its cause: ${agent.red.what}`, async () => {
    const { code, run } = await replay(agent.red.changes)
    expect([code, causesOf(run)]).toEqual([1, agent.red.causes])
    expect(run.divergences.filter(({ kind }) => kind === 'blocked')).toEqual([])
  })

  it('holds no key, and says which model took how many tokens', async () => {
    const bundle = bundles.get(agent.title)!
    for (const file of ['events.jsonl', 'x-exchanges.jsonl', 'x-origin.jsonl'])
      expect(readFileSync(join(bundle, file), 'utf8')).not.toContain('5up3rs3cr3tk3y')
    const events = readFileSync(join(bundle, 'events.jsonl'), 'utf8').trimEnd().split('\n')
    const answers = events.map(line => JSON.parse(line)).filter(({ type }) => type === 'llm_response')
    expect(answers.map(({ total_tokens }) => total_tokens)).toEqual(answers.map(() => expect.any(Number)))
  })
})

it('an agent that is recorded sends its traces as ever, and they are no calls', () => {
  expect(traces).toEqual({ tracesSeen: 1 })
})

it('replays at other addresses and with other keys than it was recorded with', async () => {
  const [agent] = AGENTS as [SdkAgent]
  const env = {
    OPENAI_API_KEY: 'sk-another-0123456789',
    OPENAI_BASE_URL: 'http://127.0.0.1:2/v1',
    WEATHER_URL: 'http://127.0.0.1:3',
  }
  const { path } = folderOf(agent, [])
  const args = [bundles.get(agent.title)!, '--agent', 'agent.ts']
  const { code, run } = await replayJson(args, { cwd: path, env: { ...NOTHING_SET, ...env } })
  expect([code, causesOf(run), run.liveCalls]).toEqual([0, [], 0])
})

async function recordAgent(agent: SdkAgent, { models, plain }: { readonly [name: string]: string }) {
  const folder = folderOf(agent, [])
  const bundle = join(folder.path, 'run.sftrace')
  const result = await runCli(
    ['record', '--agent', 'agent.ts', '--input', agent.input ?? QUESTION, '-o', 'run.sftrace'],
    {
      cwd: folder.path,
      env: {
        ...NOTHING_SET,
        ...KEYS,
        OPENAI_BASE_URL: `${models}/v1`,
        ANTHROPIC_BASE_URL: agent.file === 'ai-sdk' ? `${models}/v1` : models,
        WEATHER_URL: plain,
        TRACES_URL: `${plain}/v1/traces/ingest`,
      },
    },
  )
  expect(result).toMatchObject({ code: 0 })
  bundles.set(agent.title, bundle)
}

function folderOf({ file, as = [] }: SdkAgent, changes: Changes): AgentFolder {
  const folder = agentFolder(file, [...as, ...changes])
  folders.push(folder)
  return folder
}
