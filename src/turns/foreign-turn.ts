/** Turns out of what a model really answered: the way in for recordings, as the model and the client are the way out. */
import type { FinishReason, Turn } from './turn.ts'

/** A reply of an OpenAI-style chat API, so far as a turn keeps it. */
export interface CompletionLike {
  readonly choices: readonly {
    readonly message: {
      readonly content?: string | null
      readonly tool_calls?: readonly object[] | null | undefined
    }
    readonly finish_reason?: string | null
  }[]
  readonly usage?:
    | {
        readonly prompt_tokens: number
        readonly completion_tokens: number
        readonly prompt_tokens_details?: { readonly cached_tokens?: number | undefined } | null | undefined
        readonly completion_tokens_details?:
          | { readonly reasoning_tokens?: number | undefined }
          | null
          | undefined
      }
    | null
    | undefined
}

/** The first choice as a turn. Calls of custom tools have no JSON arguments and are left out. */
export function turnFromCompletion(completion: CompletionLike): Turn {
  const choice = completion.choices[0]
  const { usage } = completion
  return {
    text: choice?.message.content ?? '',
    usage: {
      input_tokens: usage?.prompt_tokens ?? 0,
      output_tokens: usage?.completion_tokens ?? 0,
      reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
      cached_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    },
    finish_reason: reasonOf(choice?.finish_reason),
    tool_calls: (choice?.message.tool_calls ?? []).filter(isFunctionCall).map(call => {
      return { id: call.id, name: call.function.name, arguments_raw: call.function.arguments }
    }),
  }
}

interface FunctionCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

function isFunctionCall(call: object): call is FunctionCall {
  return 'function' in call
}

/** What `doGenerate` of a model of the `ai` package gives (LanguageModelV3), so far as a turn keeps it. */
export interface ModelResultLike {
  readonly content: readonly object[]
  readonly finishReason: { readonly unified: string }
  readonly usage: {
    readonly inputTokens: { readonly total: number | undefined; readonly cacheRead: number | undefined }
    readonly outputTokens: { readonly total: number | undefined; readonly reasoning: number | undefined }
  }
}

/** Texts and calls of the agent's tools; a turn has no place for reasoning, files, sources, and what the provider ran. */
export function turnFromModelResult({ content, finishReason, usage }: ModelResultLike): Turn {
  return {
    text: content
      .filter(isText)
      .map(part => part.text)
      .join(''),
    usage: {
      input_tokens: usage.inputTokens.total ?? 0,
      output_tokens: usage.outputTokens.total ?? 0,
      reasoning_tokens: usage.outputTokens.reasoning ?? 0,
      cached_tokens: usage.inputTokens.cacheRead ?? 0,
    },
    finish_reason: reasonOf(finishReason.unified.replace('-', '_')),
    tool_calls: content.filter(isToolCall).map(({ toolCallId, toolName, input }) => {
      return { id: toolCallId, name: toolName, arguments_raw: input }
    }),
  }
}

interface ToolCallPart {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: string
}

interface Part {
  readonly type?: unknown
  readonly providerExecuted?: unknown
}

function isText(part: Part): part is Part & { readonly text: string } {
  return part.type === 'text'
}

function isToolCall(part: Part): part is Part & ToolCallPart {
  return part.type === 'tool-call' && part.providerExecuted !== true
}

/** Any other reason is one that a turn cannot have. */
function reasonOf(reason: string | null | undefined): FinishReason | null {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'tool_calls':
    case 'content_filter':
    case 'error':
      return reason
  }
  return null
}
