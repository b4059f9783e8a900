/**
 * Recorded turns as a language model of the `ai` package, specification v3. The types are written out here because the
 * package need not be installed; that they fit is checked where the tests hand the model to it.
 */
import type { RecordedTurns } from './recorded-turns.ts'
import type { TurnRequest } from './request-hash.ts'
import type { InferenceRecord } from './step-record.ts'
import type { FinishReason, Turn, TurnUsage } from './turn.ts'
import type { ServedTurn } from './turn-plan.ts'

export interface ReplayLanguageModel {
  readonly specificationVersion: 'v3'
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: Record<string, RegExp[]>
  doGenerate(options: ModelCallOptions): Promise<ModelResult>
  doStream(options: ModelCallOptions): Promise<{ stream: ReadableStream<ModelStreamPart> }>
}

/** What the package hands over: `prompt` and settings. */
export interface ModelCallOptions {
  readonly abortSignal?: AbortSignal | undefined
}

interface ToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: string
}

interface ModelFinish {
  finishReason: {
    unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
    raw: string | undefined
  }
  usage: {
    inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: undefined }
    outputTokens: { total: number; text: number; reasoning: number }
  }
}

interface ModelResponse {
  id: string
  modelId: string
}

export interface ModelResult extends ModelFinish {
  content: ({ type: 'text'; text: string } | ToolCallPart)[]
  response: ModelResponse
  warnings: []
}

export type ModelStreamPart =
  | { type: 'stream-start'; warnings: [] }
  | ({ type: 'response-metadata' } & ModelResponse)
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string }
  | ToolCallPart
  | ({ type: 'finish' } & ModelFinish)

export function languageModel(turns: RecordedTurns, first: InferenceRecord | null): ReplayLanguageModel {
  const serve = (options: ModelCallOptions): ServedTurn => {
    options.abortSignal?.throwIfAborted()
    return turns.serve(options as TurnRequest)
  }
  return {
    specificationVersion: 'v3',
    provider: first?.provider ?? 'open_ai',
    modelId: first?.model_id ?? '',
    // Nothing is ever downloaded: whatever a file is, the recorded model has read it.
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: async options => resultOf(serve(options)),
    doStream: async options => ({ stream: streamOf(resultOf(serve(options))) }),
  }
}

function resultOf({ turn, record, position }: ServedTurn): ModelResult {
  return {
    content: [
      ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text } as const]),
      ...turn.tool_calls.map(({ id, name, arguments_raw }) => {
        return { type: 'tool-call', toolCallId: id, toolName: name, input: arguments_raw } as const
      }),
    ],
    finishReason: finishOf(turn),
    usage: usageOf(turn.usage),
    response: { id: `replay-${position}`, modelId: record.model_id },
    warnings: [],
  }
}

/** A record does not keep in which pieces a turn came: a text comes in one, the arguments of a tool call in one. */
function streamOf(result: ModelResult): ReadableStream<ModelStreamPart> {
  const { content, finishReason, usage, response, warnings } = result
  const parts: ModelStreamPart[] = [
    { type: 'stream-start', warnings },
    { type: 'response-metadata', ...response },
    ...content.flatMap(partsOf),
    { type: 'finish', finishReason, usage },
  ]
  return new ReadableStream({
    pull: controller => {
      const part = parts.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
}

function partsOf(content: ModelResult['content'][number]): ModelStreamPart[] {
  if (content.type === 'text') {
    const id = 'text'
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: content.text },
      { type: 'text-end', id },
    ]
  }
  const { toolCallId: id, toolName, input } = content
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: input },
    { type: 'tool-input-end', id },
    content,
  ]
}

const UNIFIED: Readonly<Record<FinishReason, ModelFinish['finishReason']['unified']>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
  error: 'error',
}

function finishOf({ finish_reason }: Turn): ModelFinish['finishReason'] {
  if (finish_reason === null) return { unified: 'other', raw: undefined }
  return { unified: UNIFIED[finish_reason], raw: finish_reason }
}

function usageOf({
  input_tokens,
  output_tokens,
  reasoning_tokens,
  cached_tokens,
}: TurnUsage): ModelFinish['usage'] {
  return {
    inputTokens: {
      total: input_tokens,
      noCache: Math.max(0, input_tokens - cached_tokens),
      cacheRead: cached_tokens,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: output_tokens,
      text: Math.max(0, output_tokens - reasoning_tokens),
      reasoning: reasoning_tokens,
    },
  }
}
