/** Any nesting of what a recording carries: plain data, and what JSON lacks. */
import fc from 'fast-check'
import { arbitraryJson } from './arbitrary-json.ts'

const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'a/b', 'a~b', '~1', '10', '1', ''),
)

const numbers = fc.array(fc.double(), { maxLength: 4 })
const bytes = fc.uint8Array({ maxLength: 9 })

const leaf = fc.oneof(
  arbitraryJson,
  fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0n, -5n),
  fc.bigInt(),
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(/a\/b/giu, /(?:)/, /^[/]\n$/m, /\//),
  fc.webUrl({ withQueryParameters: true, withFragments: true }).map(url => new URL(url)),
  bytes,
  bytes.map(list => Buffer.from(list)),
  bytes.map(list => new Uint8Array(list).buffer),
  bytes.map(list => new DataView(new Uint8Array(list).buffer)),
  bytes.map(list => new Uint8ClampedArray(list)),
  numbers.map(list => new Float64Array(list)),
  numbers.map(list => new Float32Array(list)),
  numbers.map(list => new Int16Array(list)),
  fc
    .array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 })
    .map(list => new BigInt64Array(list)),
)

const errorClass = fc.constantFrom(Error, TypeError, RangeError, SyntaxError)

export const arbitraryValue: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    // A member that is undefined is dropped, as in JSON.
    fc.dictionary(
      name,
      tie('value').filter(value => value !== undefined),
      { maxKeys: 4, noNullPrototype: true },
    ),
    fc
      .array(fc.tuple(fc.oneof(name, tie('value')), tie('value')), { maxLength: 3 })
      .map(entries => new Map(entries)),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map(entries => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map(items => new Set(items)),
    fc
      .tuple(
        errorClass,
        fc.string(),
        tie('value').filter(value => value !== undefined),
      )
      .map(([Class, message, detail]) => Object.assign(new Class(message), { detail })),
    fc
      .tuple(fc.string(), fc.string())
      .map(([message, below]) => new Error(message, { cause: new TypeError(below) })),
  ),
})).value
