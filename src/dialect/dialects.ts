/**
 * The APIs of model providers that are known, as data. A request is one of them by its path and the members of its body,
 * never by its host: a gateway, a proxy, Azure, OpenRouter, vLLM or Ollama on any port speaks the same dialect.
 */

export type Api =
  | 'openai.chat'
  | 'openai.responses'
  | 'openai.completions'
  | 'openai.embeddings'
  | 'anthropic.messages'
  | 'anthropic.count_tokens'
  | 'cohere.chat'
  | 'google.generate'
  | 'google.embed'
  | 'ollama.chat'
  | 'ollama.generate'

export interface Dialect {
  readonly api: Api
  readonly provider: 'openai' | 'anthropic' | 'cohere' | 'google' | 'ollama'
  /** As the provider's SDK for Python names it: the first member of the recorded input. */
  readonly method: string
  /** How the path ends; a group holds the model where it is no member of the body. */
  readonly path: RegExp
  /** Of each list the body has a member: what tells the API from others under an equal path. */
  readonly holds: readonly (readonly string[])[]
  /** When the answer comes in parts: `stream: true` in the body, unless `stream: false`, always, or never. */
  readonly streams: 'if-asked' | 'unless-refused' | 'always' | 'never'
}

/**
 * Sources: the packages `openai`, `@anthropic-ai/sdk`, `@google/genai`; https://docs.cohere.com/reference/chat; https://docs.ollama.com/api.
 * Mistral, Groq, DeepSeek, xAI and many more speak as OpenAI does.
 */
export const DIALECTS: readonly Dialect[] = [
  {
    // Azure has the model in the path, and in the body when its SDK sends it: /openai/deployments/{model}/chat/completions.
    api: 'openai.chat',
    provider: 'openai',
    method: 'chat.completions.create',
    path: /(?:\/deployments\/([^/]+))?\/chat\/completions\/?$/,
    holds: [['messages']],
    streams: 'if-asked',
  },
  {
    api: 'openai.responses',
    provider: 'openai',
    method: 'responses.create',
    path: /(?:\/deployments\/([^/]+))?\/responses\/?$/,
    // A stored prompt brings its model and its input along.
    holds: [
      ['input', 'prompt', 'previous_response_id', 'conversation'],
      ['model', 'prompt'],
    ],
    streams: 'if-asked',
  },
  {
    api: 'openai.completions',
    provider: 'openai',
    method: 'completions.create',
    path: /(?:\/deployments\/([^/]+))?\/completions\/?$/,
    holds: [['prompt'], ['model']],
    streams: 'if-asked',
  },
  {
    api: 'openai.embeddings',
    provider: 'openai',
    method: 'embeddings.create',
    path: /(?:\/deployments\/([^/]+))?\/embeddings\/?$/,
    holds: [['input'], ['model']],
    streams: 'never',
  },
  {
    // Gateways leave the `v1` out; `max_tokens`, which the API demands, tells it from mailboxes.
    api: 'anthropic.messages',
    provider: 'anthropic',
    method: 'messages.create',
    path: /\/messages\/?$/,
    holds: [['messages'], ['model'], ['max_tokens']],
    streams: 'if-asked',
  },
  {
    // Google's Vertex AI.
    api: 'anthropic.messages',
    provider: 'anthropic',
    method: 'messages.create',
    path: /\/publishers\/anthropic\/models\/([^/]+):(?:streamR|r)awPredict$/,
    holds: [['messages'], ['anthropic_version']],
    streams: 'if-asked',
  },
  {
    // Answers depend on the model and nothing else; message batches in contrast are jobs, and stay plain HTTP.
    api: 'anthropic.count_tokens',
    provider: 'anthropic',
    method: 'messages.count_tokens',
    path: /\/messages\/count_tokens\/?$/,
    holds: [['messages'], ['model']],
    streams: 'never',
  },
  {
    api: 'google.generate',
    provider: 'google',
    method: 'models.generate_content',
    path: /\/models\/([^/]+):generateContent$/,
    holds: [['contents']],
    streams: 'never',
  },
  {
    api: 'google.generate',
    provider: 'google',
    method: 'models.generate_content_stream',
    path: /\/models\/([^/]+):streamGenerateContent$/,
    holds: [['contents']],
    streams: 'always',
  },
  {
    api: 'google.embed',
    provider: 'google',
    method: 'models.embed_content',
    path: /\/models\/([^/]+):(?:embedContent|batchEmbedContents)$/,
    holds: [['content', 'requests']],
    streams: 'never',
  },
  {
    api: 'cohere.chat',
    provider: 'cohere',
    method: 'chat',
    path: /\/v2\/chat\/?$/,
    holds: [['messages'], ['model']],
    streams: 'if-asked',
  },
  {
    api: 'ollama.chat',
    provider: 'ollama',
    method: 'chat',
    path: /\/api\/chat\/?$/,
    holds: [['messages'], ['model']],
    streams: 'unless-refused',
  },
  {
    api: 'ollama.generate',
    provider: 'ollama',
    method: 'generate',
    path: /\/api\/generate\/?$/,
    holds: [['prompt'], ['model']],
    streams: 'unless-refused',
  },
]

/** Of a server that holds one model only and is not asked for it by name. */
export const UNNAMED_MODEL = 'default'
