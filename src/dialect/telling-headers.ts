/**
 * Request headers that change what a model does, as data. They are part of the recorded input (`headers`, beside `request`)
 * only where they say something that SDKs do not say by themselves: a recording by the Python implementation, which keeps
 * no headers, then matches every request that asks for nothing special, and so does one by another version of an SDK.
 *
 * Left out on purpose, as they name who asks and who pays: `openai-organization`, `openai-project`, `authorization`,
 * `x-api-key`, OpenRouter's `http-referer` and `x-title`; and the API's version in Azure's query string.
 */

export interface TellingHeader {
  readonly name: string
  /** A list, whose order means nothing. */
  readonly isList: boolean
  /** Values that SDKs send by themselves, or that only name an API or how the caller is known. */
  readonly usual: readonly string[]
}

export const TELLING_HEADERS: { readonly [provider: string]: readonly TellingHeader[] } = {
  anthropic: [
    // https://platform.claude.com/docs/en/api/beta-headers; `oauth-…` and `…-batches-…`: client.ts and resources/beta of @anthropic-ai/sdk.
    {
      name: 'anthropic-beta',
      isList: true,
      usual: ['oauth-2025-04-20', 'token-counting-2024-11-01', 'message-batches-2024-09-24'],
    },
    // What @anthropic-ai/sdk sends: 0.x the first, 1.x the second.
    { name: 'anthropic-version', isList: false, usual: ['2023-06-01', '2026-10-21'] },
  ],
  // https://platform.openai.com/docs/api-reference; no SDK sends it to the APIs that are known here.
  openai: [{ name: 'openai-beta', isList: true, usual: [] }],
}
