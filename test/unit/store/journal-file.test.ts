import fs, { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { sameJson } from '../../../src/json/compare.ts'
import type { Json } from '../../../src/json/value.ts'
import { openJournal, readJournal } from '../../../src/store/journal-file.ts'
import type { Fact } from '../../../src/trace/journal.ts'
import { arbitraryJson } from '../json/arbitrary-json.ts'
import { freshPath } from './bundles.ts'

const note = (detail: string): Fact => ({ kind: 'note', code: 'call-after-end', detail })

describe('a journal', () => {
  it('gives back its facts, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(arbitraryJson), outputs => {
        const path = freshPath('journal.jsonl')
        const journal = openJournal(path)
        const facts = outputs.map(
          (output, at): Fact => ({ kind: 'settled', status: 'completed', at, output }),
        )
        for (const fact of facts) journal.append(fact)
        journal.close()
        expect(sameJson(readJournal(path) as unknown as Json, facts)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('writes a bigint as an integer even when the agent taught JSON another way', () => {
    const path = freshPath('journal.jsonl')
    const taught = BigInt.prototype as { toJSON?: () => string }
    taught.toJSON = () => 'a text'
    try {
      const journal = openJournal(path)
      journal.append({ kind: 'settled', status: 'completed', at: 0, output: [2n ** 64n] })
      journal.close()
    } finally {
      delete taught.toJSON
    }
    expect(readJournal(path)).toMatchObject([{ output: [2n ** 64n] }])
  })

  it('keeps facts back until it is flushed, or 64 kB have gathered', () => {
    const path = freshPath('journal.jsonl')
    const journal = openJournal(path)
    journal.append(note('one'))
    expect(statSync(path).size).toBe(0)
    journal.flush()
    expect(readJournal(path)).toEqual([note('one')])
    journal.append(note('x'.repeat(70_000)))
    expect(readJournal(path)).toHaveLength(2)
    journal.close()
    journal.close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('drops the line in which a killed process was, and no other', () => {
    const path = freshPath('journal.jsonl')
    const journal = openJournal(path)
    journal.append(note('one'))
    journal.append(note('two'))
    journal.close()
    appendFileSync(path, '{"kind":"note","code":"call-after-end","detail":"three"}')
    expect(readJournal(path)).toEqual([note('one'), note('two')])
    writeFileSync(path, readFileSync(path, 'utf8').replace('one"', 'one'))
    expect(() => readJournal(path)).toThrow(/journal.jsonl:1 is not a line of a journal/)
    expect(() => readJournal(freshPath('none'))).toThrow('cannot open')
  })

  it('loses nothing when the system takes only part of a write, or none for now', async () => {
    const { writeSync } = fs
    let calls = 0
    fs.writeSync = ((fd: number, bytes: Buffer, offset: number) => {
      if (calls++ % 3 === 0) throw Object.assign(new Error('try again'), { code: 'EAGAIN' })
      return writeSync(fd, bytes, offset, Math.min(7, bytes.length - offset))
    }) as typeof fs.writeSync
    vi.resetModules()
    const { openJournal } = await import('../../../src/store/journal-file.ts').finally(() => {
      fs.writeSync = writeSync
    })
    const path = freshPath('journal.jsonl')
    const journal = openJournal(path)
    journal.append(note('one'))
    journal.append(note('é'.repeat(20)))
    journal.close()
    expect(readJournal(path)).toEqual([note('one'), note('é'.repeat(20))])
    expect(calls).toBeGreaterThan(10)
  })

  it('says so when it cannot be written', () => {
    expect(() => openJournal(freshPath('a/b/journal.jsonl'))).toThrow(/cannot write .*journal.jsonl: ENOENT/)
  })
})
