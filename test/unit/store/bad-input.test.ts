/** Whatever a bundle holds, loading it ends in a bundle or in a sentence with file, line and what to do. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isStepforkError } from '../../../src/errors.ts'
import { openPayloads } from '../../../src/store/payloads.ts'
import { peekEnvironment } from '../../../src/store/peek-environment.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { validateBundle } from '../../../src/validate.ts'
import { copyOf, edit, freshPath, oneCall, recorded, written } from './bundles.ts'

const whole = recorded.find(path => path.includes('single_tool'))!

/** The code and the sentence with which loading ends, paths cut to what follows the bundle's folder. */
function refusal(path: string): string {
  try {
    readBundle(path)
  } catch (error) {
    if (!isStepforkError(error)) throw error
    expect(error.hint, error.message).toMatch(/\w/)
    return `${error.code} ${error.message.replaceAll(`${dirname(path)}/`, '')}`
  }
  return 'loaded'
}

function withLine(change: (line: string) => string | Buffer): string {
  const path = copyOf(whole)
  edit(path, 'events.jsonl', text => {
    const [first, second, ...rest] = text.split('\n')
    return [first, change(second!), ...rest].join('\n')
  })
  return path
}

const withFile = (name: string, content: string): string => {
  const path = copyOf(whole)
  edit(path, name, () => content)
  return path
}

describe('a bundle that cannot be loaded', () => {
  it('is not there, is a file, has another name, or lacks a file', () => {
    expect(refusal(freshPath())).toBe('BUNDLE_NOT_FOUND run.sftrace does not exist')
    const file = freshPath()
    writeFileSync(file, '')
    expect(refusal(file)).toBe('BUNDLE_INVALID run.sftrace: it is no folder, and a bundle is one')
    expect(refusal(copyOf(whole, 'run.trace'))).toBe('BUNDLE_INVALID run.trace does not end in .sftrace')
    const bare = freshPath()
    mkdirSync(bare)
    expect(refusal(bare)).toBe(
      'BUNDLE_INVALID run.sftrace has no manifest.json; run.sftrace has no events.jsonl; run.sftrace has no redactions.json',
    )
  })

  it('has a line that is cut off, empty, not JSON or not UTF-8', () => {
    const cut = copyOf(whole)
    truncateSync(join(cut, 'events.jsonl'), statSync(join(cut, 'events.jsonl')).size - 30)
    expect(refusal(cut)).toMatch(
      /^BUNDLE_INVALID run.sftrace\/events.jsonl:4: the file ends in the middle of this line/,
    )
    expect(refusal(withLine(() => ''))).toBe('BUNDLE_INVALID run.sftrace/events.jsonl:2: the line is empty')
    expect(refusal(withLine(() => ' \t'))).toBe(
      'BUNDLE_INVALID run.sftrace/events.jsonl:2: the line is empty',
    )
    expect(refusal(withLine(line => line.replace('"Lisbon"', 'NaN')))).toMatch(
      /events.jsonl:2: it is not JSON: expected a value, but found "NaN}}" at offset \d+/,
    )
    const bytes = copyOf(whole)
    writeFileSync(join(bytes, 'events.jsonl'), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d, 0x0a]))
    expect(refusal(bytes)).toBe('BUNDLE_INVALID run.sftrace/events.jsonl:1: it is not UTF-8')
    expect(refusal(withLine(() => '[1]'))).toBe(
      'BUNDLE_INVALID run.sftrace/events.jsonl:2: it must be an object',
    )
    expect(refusal(withLine(line => `\ufeff${line}`))).toMatch(/events.jsonl:2: it is not JSON/)
  })

  it('has an event of another shape', () => {
    const shapes: [(line: string) => string, string][] = [
      [line => line.replace('"tool_call"', '"tool_came"'), '"type" names no known kind of event'],
      [line => line.replace('"tool_call"', '"__proto__"'), '"type" names no known kind of event'],
      [line => line.replace('"name"', '"extra":1,"name"'), 'it has the unknown field "extra"'],
      [line => line.replace('"name"', '"__proto__":{"a":1},"name"'), 'it has the unknown field "__proto__"'],
      [line => line.replace(/"name":"[^"]*",/, ''), '"name" is missing'],
      [line => line.replace(/"name":"[^"]*"/, '"name":""'), '"name" must not be empty'],
      [line => line.replace(/"name":"[^"]*"/, '"name":7'), '"name" must be of type string'],
      [line => line.replace('"step":1', '"step":-1'), '"step" must not be negative'],
      [line => line.replace('"status":"ok"', '"status":"fine"'), '"status" must be ok or error or skipped'],
      [
        line => line.replace(/"timestamp":"[^"]*"/, '"timestamp":"2026-12-01T10:00:00"'),
        '"timestamp" must be a time stamp with a zone',
      ],
      [line => line.replace(/"id":"[^"]*",/, ''), '"id" is missing'],
    ]
    for (const [change, fault] of shapes) {
      expect(refusal(withLine(change))).toBe(`BUNDLE_INVALID run.sftrace/events.jsonl:2: ${fault}`)
    }
  })

  it('has metadata that is empty, not JSON, of another version or of another shape', () => {
    expect(refusal(withFile('manifest.json', ''))).toBe(
      'BUNDLE_INVALID run.sftrace/manifest.json: it is empty',
    )
    expect(refusal(withFile('manifest.json', '{"a" 1}'))).toMatch(
      /manifest.json: it is not JSON: expected ":"/,
    )
    expect(refusal(withFile('manifest.json', '[]'))).toBe(
      'BUNDLE_INVALID run.sftrace/manifest.json: it must be an object',
    )
    const versions = [
      ['{"schema_version":"9.9"}', '"9.9"'],
      ['{}', 'none'],
      ['{"schema_version":0.1}', '0.1'],
    ]
    for (const [manifest, version] of versions) {
      expect(refusal(withFile('manifest.json', manifest!))).toBe(
        `BUNDLE_UNSUPPORTED run.sftrace/manifest.json: its schema version is ${version}; only "0.1" is known`,
      )
    }
    expect(refusal(withFile('manifest.json', `{"schema_version":${'9'.repeat(30)}}`))).toMatch(
      /^BUNDLE_UNSUPPORTED/,
    )
    expect(refusal(withFile('redactions.json', '{"schema_version":"0.1","entries":"bad"}'))).toBe(
      'BUNDLE_INVALID run.sftrace/redactions.json: "entries" must be of type array',
    )
    const failed = copyOf(whole)
    edit(failed, 'manifest.json', text => text.replace('"completed"', '"failed"'))
    expect(refusal(failed)).toMatch(
      /manifest.json: "failure" must be there exactly when the status is failed/,
    )
  })

  it('has a sidecar that is damaged or of a later version', () => {
    expect(refusal(withSidecar('x-origin.jsonl', ''))).toBe(
      'BUNDLE_INVALID run.sftrace/x-origin.jsonl: it is empty',
    )
    expect(refusal(withSidecar('x-origin.jsonl', '{"version":2}\n'))).toBe(
      'BUNDLE_UNSUPPORTED run.sftrace/x-origin.jsonl: its version is 2; only 1 is known',
    )
    const header = '{"format":"stepfork-values","version":1}\n'
    expect(refusal(withSidecar('x-values.jsonl', `${header}{"event":1}\n`))).toBe(
      'BUNDLE_INVALID run.sftrace/x-values.jsonl:2: "event" must be of type string',
    )
    expect(refusal(withSidecar('x-values.jsonl', `${header}{"event"`))).toMatch(
      /x-values.jsonl:2: it is not JSON/,
    )
  })

  it('is nested so deeply that reading on would overflow the stack', () => {
    for (const depth of [1001, 100_000]) {
      const nested = '['.repeat(depth) + ']'.repeat(depth)
      expect(refusal(withLine(line => line.replace('"Lisbon"', nested)))).toMatch(
        /nested deeper than 1000 levels/,
      )
    }
    expect(refusal(withFile('manifest.json', '['.repeat(1_000_000)))).toMatch(
      /nested deeper|must be an object/,
    )
  })

  it('has a file that is a link out of the bundle, a pipe or a folder', () => {
    for (const name of ['manifest.json', 'events.jsonl', 'redactions.json', 'x-origin.jsonl']) {
      const path = copyOf(whole)
      rmSync(join(path, name), { force: true })
      symlinkSync('/etc/passwd', join(path, name))
      expect(refusal(path)).toBe(
        `BUNDLE_INVALID run.sftrace/${name}: it is a link that leads out of the bundle, and is not followed`,
      )
      rmSync(join(path, name))
      symlinkSync('nowhere', join(path, name))
      expect(refusal(path)).toBe(`BUNDLE_INVALID run.sftrace/${name}: it is a link to nothing`)
      rmSync(join(path, name))
      execFileSync('mkfifo', [join(path, name)])
      expect(refusal(path)).toBe(`BUNDLE_INVALID run.sftrace/${name}: it is no file`)
      // Looked at before the bundle is checked: a pipe would be waited for without end.
      expect(peekEnvironment(path)?.tz ?? null).toBe(
        name === 'x-origin.jsonl' ? null : (peekEnvironment(whole)?.tz ?? null),
      )
    }
  })

  it('may not be read', () => {
    if (process.getuid?.() === 0) return
    const path = copyOf(whole)
    chmodSync(join(path, 'events.jsonl'), 0)
    expect(refusal(path)).toMatch(/^BUNDLE_INVALID run.sftrace\/events.jsonl: it cannot be read/)
  })

  it('has a line longer than a string can be', { timeout: 60_000 }, () => {
    const path = copyOf(whole)
    // A file of 600 MiB without a single line feed; it takes no room on the disk.
    truncateSync(join(path, 'events.jsonl'), 0)
    truncateSync(join(path, 'events.jsonl'), 600 * 2 ** 20)
    expect(refusal(path)).toBe('BUNDLE_INVALID run.sftrace/events.jsonl:1: it is longer than 256 MiB')
  })
})

function withSidecar(name: string, content: string): string {
  const path = copyOf(whole)
  writeFileSync(join(path, name), content)
  return path
}

describe('a bundle that is odd and yet can be loaded', () => {
  it('holds an integer of 5,000 digits, names like __proto__, or nesting of 900 levels', () => {
    for (const payload of [
      '1'.repeat(5000),
      '{"__proto__":{"a":1},"constructor":2}',
      '['.repeat(900) + ']'.repeat(900),
    ]) {
      const path = withLine(line => line.replace('"Lisbon"', payload))
      const { events } = readBundle(path)
      const payloads = openPayloads(path)
      expect(payloads.rawField(events[1]!.line, 'input')).toBe(`{"city":${payload}}`)
      payloads.close()
    }
  })

  it('has duplicate ids, parents in a circle, and an endless chain of parents', () => {
    const circle = copyOf(whole)
    edit(circle, 'events.jsonl', text =>
      text.replace(/"parent_id":[^,]*/g, '"parent_id":"b"').replace(/"id":"[^"]*"/g, '"id":"b"'),
    )
    expect(refusal(circle)).toBe('loaded')
    expect(new Set(validateBundle(circle).issues.map(issue => issue.code))).toEqual(
      new Set(['parent_not_earlier', 'duplicate_event_id']),
    )
  })

  it('is reached through a link, holds links to its own files, or ends its path with a slash', () => {
    const path = copyOf(whole)
    const link = freshPath('link.sftrace')
    symlinkSync(path, link)
    expect(readBundle(link).integrity).toBe('verified')
    expect(readBundle(`${path}/`).integrity).toBe('verified')
    const events = join(path, 'events.jsonl')
    execFileSync('mv', [events, join(path, 'moved.jsonl')])
    symlinkSync('moved.jsonl', events)
    expect(readBundle(path).integrity).toBe('verified')
    expect(basename(readBundle(link).path)).toBe('link.sftrace')
  })

  it('has no events at all', () => {
    const path = written({ ...oneCall(null), events: [] })
    expect(readBundle(path).events).toEqual([])
    expect(validateBundle(path, { partial: true }).valid).toBe(true)
  })
})
