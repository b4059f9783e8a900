/** Recorded turns as a client of an OpenAI-style chat API; names and shapes are those of its documented JSON. */
import type { RecordedTurns } from './recorded-turns.ts'
import type { Turn, TurnUsage } from './turn.ts'
import type { ServedTurn } from './turn-plan.ts'

/** Type parameters let any other member of a request pass, in a literal, too. */
export interface ChatClient {
  readonly chat: {
    readonly completions: {
      create<R extends StreamedRequest>(
        body: R,
        options?: ChatCallOptions,
      ): Promise<AsyncIterable<ChatCompletionChunk>>
      create<R extends WholeRequest>(body: R, options?: ChatCallOptions): Promise<ChatCompletion>
    }
  }
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly object[]
  readonly stream_options?: { readonly include_usage?: boolean | undefined } | null | undefined
}

type StreamedRequest = ChatRequest & { readonly stream: true }
type WholeRequest = ChatRequest & { readonly stream?: false | null | undefined }

export interface ChatCallOptions {
  readonly signal?: AbortSignal | null | undefined
}

type ChatFinish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

export interface ChatToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface ChatCompletion {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: {
    index: number
    message: { role: 'assistant'; content: string | null; refusal: null; tool_calls?: ChatToolCall[] }
    logprobs: null
    finish_reason: ChatFinish
  }[]
  usage: ChatUsage
}

export interface ChatCompletionChunk {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: {
    index: number
    delta: { role?: 'assistant'; content?: string | null; tool_calls?: (ChatToolCall & { index: number })[] }
    logprobs: null
    finish_reason: ChatFinish | null
  }[]
  usage?: ChatUsage | null
}

export interface ChatUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details: { cached_tokens: number }
  completion_tokens_details: { reasoning_tokens: number }
}

export function chatClient(turns: RecordedTurns): ChatClient {
  async function create(
    body: StreamedRequest,
    options?: ChatCallOptions,
  ): Promise<AsyncIterable<ChatCompletionChunk>>
  async function create(body: WholeRequest, options?: ChatCallOptions): Promise<ChatCompletion>
  async function create(body: StreamedRequest | WholeRequest, options?: ChatCallOptions): Promise<unknown> {
    options?.signal?.throwIfAborted()
    const served = turns.serve({ ...body })
    return body.stream === true
      ? chunksOf(served, body.stream_options?.include_usage === true)
      : completionOf(served)
  }
  return { chat: { completions: { create } } }
}

function completionOf(served: ServedTurn): ChatCompletion {
  const { turn } = served
  const tool_calls = toolCallsOf(turn)
  const content = turn.text === '' && tool_calls.length > 0 ? null : turn.text
  return {
    ...headOf(served),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, ...(tool_calls.length > 0 && { tool_calls }) },
        logprobs: null,
        finish_reason: finishOf(turn),
      },
    ],
    usage: usageOf(turn.usage),
  }
}

/** A record does not keep in which pieces a turn came: it comes as one, then how it ended, then the tokens if asked for. */
async function* chunksOf(served: ServedTurn, includeUsage: boolean): AsyncGenerator<ChatCompletionChunk> {
  const { turn } = served
  const head = { ...headOf(served), object: 'chat.completion.chunk' } as const
  const tool_calls = toolCallsOf(turn).map((call, index) => ({ index, ...call }))
  const delta = {
    role: 'assistant',
    content: turn.text === '' && tool_calls.length > 0 ? null : turn.text,
    ...(tool_calls.length > 0 && { tool_calls }),
  } as const
  yield { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] }
  yield { ...head, choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(turn) }] }
  if (includeUsage) yield { ...head, choices: [], usage: usageOf(turn.usage) }
}

/** The time of a recorded turn is not known. */
function headOf({ record, position }: ServedTurn): { id: string; created: number; model: string } {
  return { id: `replay-${position}`, created: 0, model: record.model_id }
}

function toolCallsOf(turn: Turn): ChatToolCall[] {
  return turn.tool_calls.map(({ id, name, arguments_raw }) => {
    return { id, type: 'function', function: { name, arguments: arguments_raw } }
  })
}

/** The API always gives a reason; where the record has none, the one that fits. */
function finishOf({ finish_reason, tool_calls }: Turn): ChatFinish {
  // OpenAI has no such word, but gateways send it, and an agent is to see what it saw.
  if (finish_reason === 'error') return finish_reason as unknown as ChatFinish
  return finish_reason ?? (tool_calls.length > 0 ? 'tool_calls' : 'stop')
}

function usageOf(usage: TurnUsage): ChatUsage {
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.input_tokens + usage.output_tokens,
    prompt_tokens_details: { cached_tokens: usage.cached_tokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
  }
}
