/** Answers of the providers, each with what is special in its API. */

export const CHAT = {
  id: 'chatcmpl-1',
  object: 'chat.completion' as const,
  created: 1760000000,
  model: 'gpt-4o-mini-2024-07-18',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant' as const,
        content: 'It is shipped.',
        refusal: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function' as const,
            function: { name: 'get_order', arguments: '{"order":"A-17"}' },
          },
          {
            id: 'call_2',
            type: 'function' as const,
            function: { name: 'get_order', arguments: '{"order":"Ä 😀"}' },
          },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls' as const,
    },
  ],
  usage: { prompt_tokens: 94, completion_tokens: 18, total_tokens: 112 },
  service_tier: 'default' as const,
  system_fingerprint: 'fp_1',
}

export const RESPONSE = {
  id: 'resp_1',
  object: 'response' as const,
  created_at: 1760000000,
  status: 'completed' as const,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'gpt-5-2025-08-07',
  output: [
    {
      id: 'rs_1',
      type: 'reasoning' as const,
      summary: [{ type: 'summary_text' as const, text: 'Look it up.' }],
    },
    {
      id: 'msg_1',
      type: 'message' as const,
      role: 'assistant' as const,
      status: 'completed' as const,
      content: [
        {
          type: 'output_text' as const,
          text: 'It is shipped.',
          annotations: [
            {
              type: 'url_citation' as const,
              start_index: 0,
              end_index: 2,
              url: 'https://parcels.example/A-17',
              title: 'A-17',
            },
          ],
          logprobs: [],
        },
      ],
    },
    {
      id: 'fc_1',
      type: 'function_call' as const,
      status: 'completed' as const,
      call_id: 'call_1',
      name: 'get_order',
      arguments: '{"order":"A-17"}',
    },
  ],
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto' as const,
  tools: [],
  top_p: 1,
  usage: {
    input_tokens: 94,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 18,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 112,
  },
}

export const MESSAGE = {
  id: 'msg_1',
  type: 'message' as const,
  role: 'assistant' as const,
  model: 'claude-sonnet-5',
  content: [
    { type: 'thinking' as const, thinking: 'Look it up.', signature: 'c2ln' },
    { type: 'text' as const, text: 'It is shipped.' },
    { type: 'tool_use' as const, id: 'toolu_1', name: 'get_order', input: { order: 'A-17' } },
  ],
  stop_reason: 'tool_use' as const,
  stop_sequence: null,
  usage: { input_tokens: 94, output_tokens: 18, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
}

export const EMBEDDINGS = {
  object: 'list' as const,
  data: [{ object: 'embedding' as const, index: 0, embedding: [0.1, -2e-9, 1] }],
  model: 'text-embedding-3-small',
  usage: { prompt_tokens: 1, total_tokens: 1 },
}

/** Answers that end a conversation. */
export const SAID = {
  chat: {
    ...CHAT,
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Done.', refusal: null }, finish_reason: 'stop' },
    ],
  },
  response: {
    ...RESPONSE,
    id: 'resp_2',
    output: [{ ...RESPONSE.output[1], content: [{ type: 'output_text', text: 'Done.', annotations: [] }] }],
  },
}
