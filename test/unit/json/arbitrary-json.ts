/** Arbitrary JSON values as stepfork holds them: odd keys, bigints, deep and wide ones. */
import fc from 'fast-check'
import { type Json, setMember } from '../../../src/json/value.ts'

const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toJSON',
    'hasOwnProperty',
    '',
    '0',
    '10',
    '～',
    '😀',
    '\b',
    '\\',
  ),
)

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1e15, 1e16, 1e21, 1e22, 1e-4, 1e-5, 5e-324, 1.5, 2 ** 53 - 1),
)

const bigInteger = fc
  .bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  .filter(value => !Number.isSafeInteger(Number(value)))

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii' }),
  fc.constantFrom('\u2028', '\u007f'),
)

export const arbitraryJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false),
    number,
    bigInteger,
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(objectOf),
  ),
})).value

function objectOf(members: readonly (readonly [string, Json])[]): Json {
  const object: Record<string, Json> = {}
  for (const [name, value] of members) setMember(object, name, value)
  return object
}
