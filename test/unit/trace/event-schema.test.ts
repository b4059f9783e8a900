import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_FIELDS } from '../../../src/trace/event-fields.ts'
import { checkEvent } from '../../../src/trace/event-schema.ts'

/** Values of which some fit each kind of field, and none all. */
const anything = fc.constantFrom<unknown>(
  ...[null, '', 'x', 0, 1, -1, 1.5, true, [], ['x'], [1], {}, 'ok', 'error', 'live', 'failed', 'completed'],
  ...['2026-12-01T10:00:00.5Z', 2 ** 60, 1e300],
)

const type = fc.constantFrom(...(Object.keys(EVENT_FIELDS) as (keyof typeof EVENT_FIELDS)[]))

/** A written event of each type with some of its fields changed, missing or added. */
const event = type.chain(type =>
  fc
    .dictionary(
      fc.constantFrom(...Object.keys(EVENT_FIELDS[type]), 'extra'),
      fc.option(anything, { nil: undefined }),
      { maxKeys: 2 },
    )
    .map(changes => without({ ...written(type), ...changes })),
)

function written(type: keyof typeof EVENT_FIELDS): Record<string, unknown> {
  const kinds: Record<string, unknown> = {
    text: 'x',
    whole: 7,
    time: '2026-12-01T10:00:00Z',
    status: 'ok',
    errorStatus: 'error',
    policy: 'frozen',
    runStatus: 'completed',
    texts: ['/input'],
    payload: { a: [1] },
    maybePayload: null,
  }
  const fields = Object.entries(EVENT_FIELDS[type]).map(([name, kind]) => [name, kinds[kind] ?? null])
  return { type, ...Object.fromEntries(fields) }
}

function without(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

/** The field that a fault names; its words may differ. */
function culprit(checked: object): string {
  return 'fault' in checked ? String(checked.fault).split(' ')[0]! : 'none'
}

describe('checking an event', () => {
  it('gives a written event back as it is', () => {
    for (const name of Object.keys(EVENT_FIELDS) as (keyof typeof EVENT_FIELDS)[]) {
      const value = written(name)
      const checked = checkEvent(value)
      expect('value' in checked && checked.value.event).toBe(value)
    }
  })

  it('judges alike on the quick way and on the lenient one', () => {
    fc.assert(
      fc.property(event, value => {
        // A step as text is for the lenient way; all else of the event is the same.
        const asText = { ...value, step: typeof value.step === 'number' ? String(value.step) : value.step }
        const [quick, lenient] = [checkEvent(value), checkEvent(asText)]
        if ('value' in quick && 'value' in lenient) expect(lenient.value).toEqual(quick.value)
        else expect(culprit(lenient)).toBe(culprit(quick))
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses a type that only looks like one', () => {
    for (const type of [['tool_call'], 'toString', '__proto__', 'TOOL_CALL', null]) {
      expect(checkEvent({ ...written('tool_call'), type })).toEqual({
        fault: '"type" names no known kind of event',
      })
    }
  })
})
