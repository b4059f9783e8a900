/** What is left of a recording when everything that wrote it was killed, at any moment. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { llmRequest } from '../../../src/boundary/llm-request.ts'
import { traceTool } from '../../../src/boundary/trace-tool.ts'
import { asBundle } from '../../../src/partial-bundle.ts'
import { recoverRecording } from '../../../src/recover.ts'
import { recordRun } from '../../../src/run/record-run.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { createRecordingFolder } from '../../../src/store/recording-folder.ts'
import { validateBundle } from '../../../src/validate.ts'

const folder = mkdtempSync(join(tmpdir(), 'stepfork-recovery-'))
const part = join(folder, 'run.sftrace.part')
let journal: Buffer
let head: string

const step = traceTool('step', async ({ n }: { n: number }) => ({ n, secret: 'sk-syntheticrecovery123456' }))
const words = traceTool('words', async function* () {
  yield 'a'
  yield 'b'
})

async function agent(): Promise<unknown> {
  const both = await Promise.all([step({ n: 1 }), step({ n: 2 })])
  for await (const word of words()) await llmRequest({ model: 'm', input: { word } }, async () => `${word}!`)
  return both
}

/** The folder of the recording as it stands when the agent has done its work, before the bundle is made of it. */
beforeAll(async () => {
  await recordRun(
    { agent: 'cut', output: join(folder, 'run.sftrace'), input: { password: 'synthetic' } },
    async () => {
      await agent()
      journal = readFileSync(join(part, 'journal.jsonl'))
      head = readFileSync(join(part, 'recording.json'), 'utf8')
    },
  )
  rmSync(join(folder, 'run.sftrace'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function leave(bytes: number): void {
  rmSync(part, { recursive: true, force: true })
  createRecordingFolder(part, JSON.parse(head))
  writeFileSync(join(part, 'journal.jsonl'), journal.subarray(0, bytes))
}

describe('a recording that was cut off', () => {
  it('holds no secret, not even while it is going on', () => {
    expect(journal.toString() + head).not.toContain('synthetic')
  })

  it('after any byte opens as a partial bundle and validates, with every finished call in it', () => {
    fc.assert(
      fc.property(fc.nat(journal.length), bytes => {
        leave(bytes)
        expect(validateBundle(part, { partial: true, verifyIntegrity: true })).toMatchObject({ valid: true })
        const { events } = asBundle(part, readBundle)
        const results = events.filter(({ type }) => type === 'tool_result' || type === 'llm_response')
        expect(results.length).toBeGreaterThanOrEqual(finishedIn(journal.subarray(0, bytes)))
      }),
      { numRuns: 100 },
    )
  })

  it('after any byte is finished by --recover as a bundle that validates', () => {
    fc.assert(
      fc.property(fc.nat(journal.length), bytes => {
        leave(bytes)
        const { path } = recoverRecording(part, null, true)
        expect(validateBundle(path, { partial: true, verifyIntegrity: true })).toMatchObject({ valid: true })
      }),
      { numRuns: 40 },
    )
    rmSync(join(folder, 'run.sftrace'), { recursive: true })
  })

  it('is finished by --recover, and the folder is gone', () => {
    leave(journal.length)
    const recovered = recoverRecording(part, null, false)
    expect(recovered).toMatchObject({
      path: join(folder, 'run.sftrace'),
      agentName: 'cut',
      status: 'running',
    })
    expect(recovered.calls.map(call => call.label)).toEqual(['step', 'step', 'words', 'm', 'm'])
    expect(readBundle(recovered.path).manifest).toMatchObject({ status: 'running', agent_name: 'cut' })
    expect(() => recoverRecording(part, null, false)).toThrow(
      expect.objectContaining({ hint: `${recovered.path} is there and needs no recovery.` }),
    )
    expect(() => recoverRecording(join(folder, 'other.sftrace.part'), null, false)).toThrow(
      'is not the folder of a recording',
    )
  })

  it('keeps an existing bundle unless it is told to replace it', () => {
    leave(journal.length)
    expect(() => recoverRecording(part, null, false)).toThrow('exists already')
    expect(recoverRecording(part, null, true).calls).toHaveLength(5)
  })

  it('whose head was not written is refused with a sentence', () => {
    leave(journal.length)
    writeFileSync(join(part, 'recording.json'), '{"format":')
    expect(() => recoverRecording(part, null, true)).toThrow('recording.json is not JSON')
  })
})

/** Calls whose end stands in a whole line. */
function finishedIn(bytes: Buffer): number {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  return lines.filter(line => line.includes('"kind":"delivered"') && line.includes('"part":"end"')).length
}
