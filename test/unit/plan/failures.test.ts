import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/json/value.ts'
import { call, error, type Noted, recording, request, result } from './recordings.ts'

const failureOf = (events: readonly Noted[]) => recording(events).plan().calls[0]!.error

const failing = (output: Json): Noted[] => [
  call('a', 'refund'),
  result('r', 'refund', output, { under: 'a', status: 'error' }),
]

describe('the failure of a tool', () => {
  it('is told by the error event below its result', () => {
    const events = [
      ...failing({ error_type: 'Wrong', message: 'not this' }),
      error('e', 'TimeoutError', 'took too long', { under: 'r' }),
    ]
    expect(failureOf(events)).toEqual({ name: 'TimeoutError', message: 'took too long' })
  })

  it('else by the output of the result', () => {
    expect(failureOf(failing({ error_type: 'ValueError', message: 'bad id' }))).toEqual({
      name: 'ValueError',
      message: 'bad id',
    })
  })

  it.each([[null], [['error_type', 'X']], ['text'], [{ error_type: 5, message: false }]])(
    'else it has no details, with the output %j',
    output => {
      expect(failureOf(failing(output))).toEqual({ name: 'DependencyError', message: '' })
    },
  )

  it('is none when an error event lies below the call, but its result is good', () => {
    const events = [
      call('a', 'refund'),
      error('e', 'Retry', 'again', { under: 'a' }),
      result('r', 'refund', 1, { under: 'a' }),
    ]
    expect(failureOf(events)).toBeNull()
  })
})

describe('the failure of a model', () => {
  it('is the error event below its request', () => {
    const events = [request('a', 'gpt'), error('e', 'APIError', '529', { under: 'a' })]
    expect(failureOf(events)).toEqual({ name: 'APIError', message: '529' })
  })
})

describe('what our own recorder keeps of an error', () => {
  const withDetails = (details: Json): Noted[] => [
    request('a', 'gpt'),
    error('e', 'APIError', 'overloaded', { under: 'a', details }),
  ]

  it('comes back: members, which of them are hidden, and causes', () => {
    const kept = {
      members: { status: 529, code: 'overloaded' },
      hidden: ['code'],
      shown: ['name'],
      class: 'Overloaded',
      errors: [{ name: 'Error', message: 'first' }],
      cause: { name: 'Error', message: 'socket', members: { errno: -104 } },
    }
    expect(failureOf(withDetails({ stepfork: kept }))).toEqual({
      name: 'APIError',
      message: 'overloaded',
      ...kept,
    })
  })

  it('is left alone in the details of another writer', () => {
    expect(failureOf(withDetails({ status: 529 }))).toEqual({ name: 'APIError', message: 'overloaded' })
  })

  it.each([
    [{ name: 5, message: { toString: 1 } }],
    [{ members: [1], hidden: 'code' }],
    [{ members: null, hidden: [1, null] }],
    [{ cause: 'text' }],
    [{ cause: { name: 5 } }],
  ])('is dropped where it is not of the shape that we write: %j', stepfork => {
    expect(failureOf(withDetails({ stepfork }))).toEqual({ name: 'APIError', message: 'overloaded' })
  })

  it('keeps the value that was thrown when it was no error', () => {
    expect(failureOf(withDetails({ stepfork: { thrown: [1] } }))).toMatchObject({ thrown: [1] })
  })
})
