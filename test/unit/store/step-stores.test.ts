import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { FolderStepRecordStore } from '../../../src/store/folder-step-store.ts'
import { InMemoryStepRecordStore } from '../../../src/store/memory-step-store.ts'
import { SqliteStepRecordStore } from '../../../src/store/sqlite-step-store.ts'
import { ReplayProvider } from '../../../src/turns/replay-provider.ts'
import type { StepRecord } from '../../../src/turns/step-record.ts'
import type { StepRecordStore } from '../../../src/turns/step-store.ts'
import { ATOMR, expectedOf, linesOf, operate, type StoreOperation } from '../turns/atomr-lines.ts'

const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined
if (!hasSqlite)
  process.emitWarning(`SQLite stores are NOT tested: Node ${process.version} has no node:sqlite`)

const folder = mkdtempSync(join(tmpdir(), 'stepfork-steps-'))
let made = 0
const place = (): string => join(folder, `store-${made++}`)
const open: SqliteStepRecordStore[] = []

afterEach(() => {
  for (const store of open.splice(0)) store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function sqlite(path: string, options?: { readonly readOnly: boolean }): SqliteStepRecordStore {
  const store = new SqliteStepRecordStore(path, options)
  open.push(store)
  return store
}

const STORES: readonly (readonly [string, () => StepRecordStore])[] = [
  ['in memory', () => new InMemoryStepRecordStore()],
  ['in a folder', () => new FolderStepRecordStore(place())],
  ...(hasSqlite ? [['in SQLite', () => sqlite(`${place()}.db`)] as const] : []),
]

function step(run_id: string, super_step: number | bigint, note = 'x'): StepRecord {
  const key = { workflow_id: 'wf', run_id, super_step }
  return { key, inference: null, tool_calls: [], state_snapshot: { note } }
}

interface StoreLine {
  readonly id: string
  readonly note: string
  readonly ops: readonly StoreOperation[]
  readonly memory: readonly unknown[]
  readonly sqlite?: readonly unknown[]
}

describe.each(STORES)('a store of steps %s', (kind, openStore) => {
  it.each(linesOf<StoreLine>('stores.jsonl'))('answers as in the Rust crates: $id $note', async line => {
    const store = openStore()
    const expected = kind === 'in SQLite' ? (line.sqlite ?? line.memory) : line.memory
    for (const [at, operation] of line.ops.entries()) {
      expect(await operate(store, ReplayProvider.load, operation)).toEqual(expectedOf(expected[at]))
    }
  })

  it('keeps steps beyond 2^53 apart and in order', async () => {
    const store = openStore()
    const steps = [2n ** 53n + 1n, 2n ** 53n, 2n ** 63n - 1n, 7]
    for (const at of steps) await store.saveRecord(step('r', at, String(at)))
    const listed = await store.listRecords('wf', 'r')
    expect(listed.map(record => BigInt(record.key.super_step))).toEqual([
      7n,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 1n,
    ])
    const one = await store.loadRecord({ workflow_id: 'wf', run_id: 'r', super_step: 2n ** 53n + 1n })
    expect(one?.state_snapshot).toEqual({ note: '9007199254740993' })
  })

  it('gives copies: what is done to them reaches nobody else', async () => {
    const store = openStore()
    const record = step('r', 0, 'as saved')
    await store.saveRecord(record)
    ;(record.state_snapshot as { note: string }).note = 'changed after saving'
    const [first] = await store.listRecords('wf', 'r')
    ;(first!.state_snapshot as { note: string }).note = 'changed after listing'
    expect((await store.listRecords('wf', 'r'))[0]!.state_snapshot).toEqual({ note: 'as saved' })
  })

  it('refuses what could not be read again, and keeps what was there', async () => {
    const store = openStore()
    await store.saveRecord(step('r', 0, 'good'))
    await expect(store.saveRecord(step('r', -1))).rejects.toMatchObject({ code: 'STEP_RECORD_INVALID' })
    await expect(store.saveRecord(step('r', 0.5))).rejects.toMatchObject({ code: 'STEP_RECORD_INVALID' })
    const bad = { ...step('r', 0), state_snapshot: { n: Number.NaN } }
    await expect(store.saveRecord(bad)).rejects.toMatchObject({ code: 'STEP_RECORD_INVALID' })
    expect((await store.listRecords('wf', 'r'))[0]!.state_snapshot).toEqual({ note: 'good' })
  })

  it('takes any names, and mixes up no two', async () => {
    const names = fc.uniqueArray(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('', '.', '..', '../x', 'Run', 'run', 'a/b', 'a\0b'),
      ),
      { minLength: 2, maxLength: 6 },
    )
    const law = fc.asyncProperty(names, async runs => {
      const store = openStore()
      for (const run of runs) await store.saveRecord(step(run, 1, run))
      for (const run of runs) {
        expect((await store.listRecords('wf', run)).map(record => record.state_snapshot)).toEqual([
          { note: run },
        ])
      }
    })
    await fc.assert(law, { numRuns: 25 })
  })
})

describe('a folder of steps', () => {
  async function savedFile(): Promise<{ store: FolderStepRecordStore; file: string }> {
    const root = place()
    const store = new FolderStepRecordStore(root)
    await store.saveRecord(step('r', 3))
    const [file] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.json'),
    )
    return { store, file: join(root, file!) }
  }

  it('has one readable file a step, and nothing else', async () => {
    const { file } = await savedFile()
    expect(file).toMatch(/wf\.[0-9a-f]{16}\/r\.[0-9a-f]{16}\/00000000000000000003\.json$/)
    expect(readFileSync(file, 'utf8')).toBe(
      '{"key":{"workflow_id":"wf","run_id":"r","super_step":3},"inference":null,"tool_calls":[],"state_snapshot":{"note":"x"}}\n',
    )
  })

  it.each([
    ['cut off', '{"key":', /expected .* at offset 7/],
    ['of another step', JSON.stringify(step('r', 4)), /holds the record of \["wf","r"\] step 4/],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /not UTF-8/],
  ])('names a file that is %s', async (_, content, words) => {
    const { store, file } = await savedFile()
    writeFileSync(file, content)
    const refusal = await store.listRecords('wf', 'r').catch(error => error)
    expect(refusal).toMatchObject({ code: 'STEP_RECORD_INVALID' })
    expect(refusal.message).toMatch(words)
    expect(refusal.message).toContain(file)
  })

  it.skipIf(process.platform === 'win32')('follows no link, neither to a file nor to a folder', async () => {
    const { store, file } = await savedFile()
    const elsewhere = place()
    renameSync(file, elsewhere)
    symlinkSync(elsewhere, file)
    await expect(store.listRecords('wf', 'r')).rejects.toThrow(/no plain file/)
    await expect(store.loadRecord(step('r', 3).key)).rejects.toThrow(/no plain file/)

    const run = dirname(file)
    const outside = place()
    renameSync(run, outside)
    symlinkSync(outside, run)
    await expect(store.listRecords('wf', 'r')).rejects.toThrow(/no plain folder/)
    await expect(store.saveRecord(step('r', 4))).rejects.toThrow(/no plain folder/)
    expect(readdirSync(outside)).toHaveLength(1)
  })

  it('says so when the disk refuses', async () => {
    const root = place()
    writeFileSync(root, 'a file where the folder should be')
    const store = new FolderStepRecordStore(root)
    await expect(store.saveRecord(step('r', 0))).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    await expect(store.listRecords('wf', 'r')).rejects.toMatchObject({ code: 'STEP_STORE_FAILED' })
  })

  it('leaves nothing half written behind', async () => {
    const { store, file } = await savedFile()
    rmSync(file)
    mkdirSync(join(file, 'in the way'), { recursive: true })
    await expect(store.saveRecord(step('r', 3))).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    expect(readdirSync(dirname(file))).toEqual(['00000000000000000003.json'])
  })
})

interface DatabaseLine {
  readonly id: string
  readonly note: string
  readonly op: StoreOperation
  readonly result: unknown
}

describe.skipIf(!hasSqlite)('a database that the Rust crate wrote', () => {
  it.each([
    ...linesOf<DatabaseLine>('steps-db.jsonl').map(line => ({ ...line, file: 'steps.db' })),
    ...linesOf<DatabaseLine>('steps-altered-db.jsonl').map(line => ({ ...line, file: 'steps-altered.db' })),
  ])('answers as it does there: $id $note', async ({ file, op, result }) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const store = sqlite(join(ATOMR, file), { readOnly: true })
    expect(await operate(store, ReplayProvider.load, op)).toEqual(expectedOf(result))
    warn.mockRestore()
  })

  it('warns of a record whose own key says something else, and names both', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await sqlite(join(ATOMR, 'steps-altered.db'), { readOnly: true }).loadRecord({
      workflow_id: 'alt',
      run_id: 'moved',
      super_step: 3,
    })
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /row \["alt","moved"\] step 3 holds a record whose own key is \["w","elsewhere"\] step 8$/,
      ),
    ])
    warn.mockRestore()
  })

  it('names the row that is no record', async () => {
    const store = sqlite(join(ATOMR, 'steps-altered.db'), { readOnly: true })
    await expect(store.listRecords('alt', 'badusage')).rejects.toThrow(
      /steps-altered\.db, row \["alt","badusage"\] step 0: .*\/inference\/usage\/.*-1 is no whole number from 0 to 4294967295/,
    )
  })

  it('can be written on, and gives its own records back byte for byte', async () => {
    const path = `${place()}.db`
    copyFileSync(join(ATOMR, 'steps.db'), path)
    const before = sqlite(join(ATOMR, 'steps.db'), { readOnly: true })
    const store = sqlite(path)
    for (const record of await before.listRecords('wf-a', 'run-1')) await store.saveRecord(record)
    await store.saveRecord(step('new', 0))
    expect(await store.listRecords('wf', 'new')).toHaveLength(1)
    expect(textsIn(path)).toEqual([...textsIn(join(ATOMR, 'steps.db')), expect.stringContaining('"new"')])
  })

  it('is not made when it is only read', () => {
    expect(() => sqlite(place(), { readOnly: true })).toThrow(
      expect.objectContaining({ code: 'STEP_STORE_FAILED' }),
    )
  })

  it('refuses a step that its column would make negative', async () => {
    await expect(sqlite(':memory:').saveRecord(step('r', 2n ** 63n))).rejects.toThrow(
      /super-step 9223372036854775808 does not fit/,
    )
  })

  it('says so of a file that is no database', () => {
    const path = place()
    writeFileSync(path, 'not a database, but long enough to be looked at as one'.repeat(20))
    expect(() => sqlite(path)).toThrow(/not a database/)
  })
})

/** The rows' texts as they stand in the file. */
function textsIn(path: string): string[] {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as unknown as {
    DatabaseSync: new (
      path: string,
    ) => { prepare(sql: string): { all(): { record_json: string }[] }; close(): void }
  }
  const database = new DatabaseSync(path)
  const rows = database.prepare('SELECT record_json FROM agent_step_records ORDER BY rowid').all()
  database.close()
  return rows.map(row => row.record_json)
}

describe.skipIf(hasSqlite)('a Node without SQLite', () => {
  it('says which Node has it, and what works instead', () => {
    expect(() => new SqliteStepRecordStore(':memory:')).toThrow(
      expect.objectContaining({
        code: 'SQLITE_MISSING',
        message: `Node ${process.versions.node} has no SQLite`,
        hint: expect.stringContaining('FolderStepRecordStore'),
      }),
    )
  })
})
