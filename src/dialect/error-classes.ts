/**
 * Errors of model providers, as data: names of the classes, which are equal in the SDKs of OpenAI and Anthropic for Python
 * and JavaScript, and the `type` in the body.
 * Sources: `_exceptions.py` and `core/error.ts` of `openai` and `anthropic`; https://platform.claude.com/docs/en/api/errors.
 */

export interface ErrorClass {
  readonly status: number
  readonly name: string
  readonly type: string
}

/** By these names failures are recorded. */
export const ERROR_CLASSES: readonly ErrorClass[] = [
  { status: 400, name: 'BadRequestError', type: 'invalid_request_error' },
  { status: 401, name: 'AuthenticationError', type: 'authentication_error' },
  { status: 403, name: 'PermissionDeniedError', type: 'permission_error' },
  { status: 404, name: 'NotFoundError', type: 'not_found_error' },
  { status: 409, name: 'ConflictError', type: 'conflict_error' },
  { status: 422, name: 'UnprocessableEntityError', type: 'invalid_request_error' },
  { status: 429, name: 'RateLimitError', type: 'rate_limit_error' },
  { status: 500, name: 'InternalServerError', type: 'api_error' },
  { status: 529, name: 'InternalServerError', type: 'overloaded_error' },
]

/** Other names that a recording may have. Where no answer came at all, a status can only stand for it. */
export const OTHER_CLASSES: { readonly [name: string]: number } = {
  RequestTooLargeError: 413,
  ServiceUnavailableError: 503,
  OverloadedError: 529,
  DeadlineExceededError: 504,
  APIConnectionError: 503,
  APITimeoutError: 504,
  APIConnectionTimeoutError: 504,
  APIStatusError: 500,
  APIError: 500,
}

/** Of the statuses without a class of their own, as both SDKs for Python have it. */
export const OTHER_STATUS = 'APIStatusError'

/** Of an error that came in the middle of a stream, after the status had said that all is well. */
export const IN_STREAM = 'APIError'
