/**
 * An agent that sends what clock and chance give, in 88 forms, each twice: all of a round are made first, and then there is a
 * call for each. VARIANT changes what else it draws and reads; FORMS names the forms that it makes (all).
 */
import * as nodeCrypto from 'node:crypto'
import { createHash, randomBytes, randomFill, randomFillSync, randomInt, randomUUID } from 'node:crypto'
import { hrtime } from 'node:process'
import { promisify } from 'node:util'
import { createIdGenerator, generateId } from 'ai'
import { customAlphabet, nanoid } from 'nanoid'
import { nanoid as nonSecure } from 'nanoid/non-secure'
import { traceTool } from 'stepfork'
import { monotonicFactory, ulid } from 'ulid'

const HOUR = 3_600_000
const { now } = Date
const savedRandom = Math.random
const monotonicUlid = monotonicFactory()
const vowelId = customAlphabet('0123456789aeiou', 12)
const pool = randomFillSync(new Uint8Array(256))
let pooled = 0
let counter = Math.floor(Math.random() * 0xffffff)
const processPart = randomBytes(5).toString('hex')

class Stamp extends Date {
  get words(): string {
    return this.toISOString().replace('T', ' at ')
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function uuidOf(bytes: Uint8Array, version: number): string {
  const copy = Uint8Array.from(bytes)
  copy[6] = (copy[6]! & 0x0f) | (version << 4)
  copy[8] = (copy[8]! & 0x3f) | 0x80
  return hex(copy).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function timed(bytes: Uint8Array, place: number): Uint8Array {
  const time = Buffer.from(Date.now().toString(16).padStart(12, '0'), 'hex')
  return Uint8Array.from([...bytes.subarray(0, place), ...time, ...bytes.subarray(place + 6)])
}

function inBase(alphabet: string, bytes: Uint8Array): string {
  let value = BigInt(`0x${hex(bytes)}`)
  let text = ''
  for (const base = BigInt(alphabet.length); value > 0n; value /= base)
    text = alphabet[Number(value % base)] + text
  return text
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items]
  return items.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]!)
}

function busy(): number {
  let sum = 0
  for (let i = 0; i < 20_000; i++) sum += Math.sqrt(i)
  return sum
}

function pooledBytes(): Uint8Array {
  pooled += 16
  return pool.subarray(pooled - 16, pooled)
}

export const FORMS: { [name: string]: () => unknown } = {
  uuid: () => randomUUID(),
  uuidOfTheWeb: () => crypto.randomUUID(),
  uuidUpperCase: () => randomUUID().toUpperCase(),
  uuidWithoutDashes: () => randomUUID().replaceAll('-', ''),
  uuidInText: () => `Trace ${randomUUID()}, please answer.`,
  uuidAsTrace: () => `trace_${randomUUID().replaceAll('-', '')}`,
  uuidFirst24: () => randomUUID().replaceAll('-', '').slice(0, 24),
  uuidFirst8: () => `ticket-${randomUUID().slice(0, 8)}`,
  uuidFirst13: () => randomUUID().slice(0, 13),
  uuidLast8: () => randomUUID().slice(-8),
  uuidLastGroup: () => randomUUID().split('-').at(-1),
  uuidFirst4: () => randomUUID().slice(0, 4),
  uuidHashed: () => createHash('sha256').update(randomUUID()).digest('hex'),
  uuid4: () => uuidOf(crypto.getRandomValues(new Uint8Array(16)), 4),
  uuid4OfPool: () => uuidOf(pooledBytes(), 4),
  uuid1: () => uuidOf(timed(crypto.getRandomValues(new Uint8Array(16)), 0), 1),
  uuid6: () => uuidOf(timed(randomBytes(16), 0), 6),
  uuid7: () => uuidOf(timed(randomFillSync(new Uint8Array(16)), 0), 7),
  bytesHex: () => randomBytes(16).toString('hex'),
  bytesShortHex: () => randomBytes(8).toString('hex'),
  bytesBase64: () => randomBytes(16).toString('base64'),
  bytesBase64url: () => randomBytes(16).toString('base64url'),
  bytesBase64Beginning: () => randomBytes(16).toString('base64').slice(0, 10),
  bytesGlued: () => `req${randomBytes(8).toString('hex')}`,
  bytesBehindPrefix: () => `req_${randomBytes(12).toString('hex')}`,
  bytesOfTheWeb: () => hex(crypto.getRandomValues(new Uint8Array(16))),
  bytesOfTheAlias: () => hex(nodeCrypto.getRandomValues(new Uint8Array(12))),
  bytesFilled: () => randomFillSync(Buffer.alloc(12)).toString('hex'),
  bytesFilledLater: () => new Promise(done => randomFill(Buffer.alloc(12), (_, filled) => done(hex(filled)))),
  bytesLater: async () => (await promisify(randomBytes)(12)).toString('hex'),
  bytesAsTraceparent: () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
  bytesAsKey: () => `evt_${randomBytes(24).toString('base64url')}`,
  uint32: () => crypto.getRandomValues(new Uint32Array(1))[0],
  nanoid: () => nanoid(),
  nanoidShort: () => nanoid(10),
  nanoidNonSecure: () => nonSecure(),
  nanoidOtherAlphabet: () => vowelId(),
  aiId: () => generateId(),
  aiIdWithPrefix: () => createIdGenerator({ prefix: 'msg', size: 24 })(),
  ulid: () => ulid(),
  ulidMonotonic: () => monotonicUlid(),
  ksuid: () =>
    inBase(DIGITS, Uint8Array.from([...timed(new Uint8Array(6), 0).subarray(0, 4), ...randomBytes(16)])),
  shortUuid: () => inBase(DIGITS.slice(0, 58), Buffer.from(randomUUID().replaceAll('-', ''), 'hex')),
  countedId: () => `${randomUUID()}/${counter++ % 10}`,
  objectId: () => `${epochSeconds().toString(16)}${processPart}${(counter++).toString(16).padStart(6, '0')}`,
  hashedRandom: () => createHash('sha256').update(`${Date.now()}${Math.random()}`).digest('hex').slice(0, 24),
  base36: () => Math.random().toString(36).slice(2),
  base36First7: () => Math.random().toString(36).slice(2, 9),
  base36Last8: () => Math.random().toString(36).slice(-8),
  randomNumber: () => Math.random(),
  randomSaved: () => savedRandom(),
  randomTimes: () => Math.random() * 42,
  randomFixed: () => Math.random().toFixed(3),
  choice: () => ['Ada', 'Grace', 'Barbara', 'Frances'][Math.floor(Math.random() * 4)],
  shuffle: () => shuffled([1, 2, 3, 4, 5, 6, 7, 8]),
  timeAndRandom: () => Date.now().toString(36) + Math.random().toString(36).slice(2, 6),
  integer: () => randomInt(1, 1000),
  integerLater: () => new Promise(done => randomInt(1000, (_, value) => done(value))),
  iso: () => new Date().toISOString(),
  dateInJson: () => JSON.stringify({ at: new Date() }),
  epoch: () => Date.now(),
  epochSaved: () => now(),
  epochSeconds: () => epochSeconds(),
  isoWithoutMs: () => new Date().toISOString().replace(/\.\d+/, ''),
  isoInAnotherZone: () => new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Tokyo' }),
  inFiveMinutes: () => new Date(Date.now() + 300_000).toISOString(),
  inOneHour: () => Date.now() + HOUR,
  dateText: () => new Date().toDateString(),
  utcText: () => new Date().toUTCString(),
  wholeText: () => String(new Date()),
  dateCalled: () => Date(),
  localeText: () => new Date().toLocaleString(),
  localeDate: () => new Date().toLocaleDateString('de-DE'),
  localeTime: () => new Date().toLocaleTimeString('en-US'),
  intlWithout: () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' }).format(),
  intlWith: () => new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full' }).format(new Date()),
  intlParts: () => new Intl.DateTimeFormat('en-GB').formatToParts().map(part => part.value),
  hours: () => new Date().getHours() * 60 + new Date().getMinutes(),
  dateOnly: () => new Date().toISOString().slice(0, 10),
  isoWithoutSeparators: () => new Date().toISOString().replace(/[-:.]/g, ''),
  secondsWithFraction: () => Date.now() / 1000,
  expires: () => Math.floor(Date.now() / 1000) + 3600,
  tomorrow: () => new Date(Date.now() + 24 * HOUR).toDateString(),
  ownDate: () => new Stamp().words,
  monotone: () => performance.now(),
  hrtime: () => hrtime(),
  hrtimeBig: () => String(process.hrtime.bigint()),
  elapsed: () => {
    const start = performance.now()
    busy()
    return performance.now() - start
  },
}

/** Three more where Node has Temporal. */
const { Temporal: temporal } = globalThis as { Temporal?: { Now: { [name: string]: () => unknown } } }
if (temporal !== undefined) {
  FORMS.temporalInstant = () => String(temporal.Now.instant!())
  FORMS.temporalDate = () => String(temporal.Now.plainDateISO!())
  FORMS.temporalZoned = () => String(temporal.Now.zonedDateTimeISO!())
}

function epochSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

const send = traceTool(
  'send',
  async ({ form }: { form: string; value: unknown }) => `${form} noted at ${Date.now()}`,
)
const more = traceTool('more', async ({ at }: { at: number }) => at)

function drawMore(): void {
  randomUUID()
  randomBytes(16)
  crypto.getRandomValues(new Uint8Array(16))
  Math.random()
  randomInt(1, 1000)
}

function readMore(): void {
  Date.now()
  new Date()
  performance.now()
  hrtime()
}

const { VARIANT = 'unchanged', FORMS: wanted = '' } = process.env
const names = wanted === '' ? Object.keys(FORMS) : wanted.split(',')

export async function run() {
  if (VARIANT === 'draws before' || VARIANT === 'all but that') for (let i = 0; i < 3; i++) drawMore()
  for (let round = 0; round < 2; round++) {
    const values: unknown[] = []
    for (const name of names) values.push(make(name))
    const made = await Promise.all(values)
    for (const [index, value] of made.entries()) {
      if (index === 5 && VARIANT === 'one call more') await more({ at: round }).catch(() => {})
      await send({ form: names[index]!, value })
    }
  }
  return new Date().toISOString()
}

function make(name: string): unknown {
  if (VARIANT === 'draws in the interval' || VARIANT === 'all but that') drawMore()
  if (VARIANT === 'reads in the interval' || VARIANT === 'all but that') readMore()
  if (VARIANT === 'every helper once more') FORMS[name]!()
  return FORMS[name]!()
}
