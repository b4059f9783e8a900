import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StepforkError } from '../../../src/errors.ts'
import { chooseEntry } from '../../../src/load/choose-entry.ts'

const FILE = 'src/agent.ts'

/** What a file exports, and the name of the export that is called; each function returns its name. */
const RIGHT_ONES: readonly (readonly [string, object, string])[] = [
  ['default before run', { run: () => 'run', default: () => 'default' }, 'default'],
  ['run before main', { main: () => 'main', run: () => 'run' }, 'run'],
  ['runAgent', { runAgent: () => 'runAgent', other: () => 0 }, 'runAgent'],
  ['agent', { agent: () => 'agent', main: () => 'main' }, 'agent'],
  ['the only function', { answer: () => 'answer', LIMIT: 3 }, 'answer'],
  ['no class', { default: class {}, main: () => 'main' }, 'main'],
  ['an object as default', { default: { run: () => 'run', other: () => 0 } }, 'run'],
  ['a default in a default', { default: { default: () => 'default' } }, 'default'],
  ['a compiled CommonJS file', { default: { __esModule: true, run: () => 'run' } }, 'run'],
  ['a file that is CommonJS and ES', { default: { run: () => 'run' }, run: () => 'run' }, 'run'],
  ['an async function', { default: async () => 'default' }, 'default'],
  ['one function beside a client object', { answer: () => 'answer', db: { run: () => 'db' } }, 'answer'],
]

describe('the entry of an agent file', () => {
  it.each(RIGHT_ONES)('is, for %s, the right one', async (_, namespace, name) => {
    const entry = chooseEntry(namespace, null, FILE)
    expect(entry).toMatchObject({ kind: 'function', name })
    expect(await call(entry)).toBe(name)
  })

  it('is the export named after #, whatever else there is', () => {
    const entry = chooseEntry({ default: () => 'default', second: () => 'second' }, 'second', FILE)
    expect(call(entry)).toBe('second')
  })

  it('named #default in a CommonJS file is its own default', () => {
    const compiled = { default: { __esModule: true, default: () => 'default', run: () => 'run' } }
    expect(call(chooseEntry(compiled, 'default', FILE))).toBe('default')
  })

  it.each(['invoke', 'run', 'generate'])('is an object with %s, called on itself', method => {
    const graph = {
      answer: 42,
      [method](this: { answer: number }, input: number) {
        return this.answer + input
      },
    }
    expect(call(chooseEntry({ graph, LIMIT: 1 }, null, FILE), 1)).toBe(43)
    expect(call(chooseEntry({ graph, other: () => 0 }, 'graph', FILE), 1)).toBe(43)
  })

  it('is an instance of a class with such a method, exported twice', () => {
    class Agent {
      #state = 'kept'
      helper = () => 'not this'
      generate(): string {
        return this.#state
      }
    }
    const agent = new Agent()
    expect(call(chooseEntry({ default: agent, agent }, null, FILE))).toBe('kept')
  })

  it('keeps `this` for the methods of a CommonJS object', () => {
    const exported = {
      name: 'cjs',
      run(this: { name: string }) {
        return this.name
      },
    }
    expect(call(chooseEntry({ default: exported }, null, FILE))).toBe('cjs')
  })

  it('is the file itself when nothing in it can be called', () => {
    for (const namespace of [{}, { default: {} }, { LIMIT: 3, config: { a: 1 } }, { default: null }]) {
      expect(chooseEntry(namespace, null, FILE)).toEqual({ kind: 'script' })
    }
  })

  it('is looked for past an export that throws when it is read', () => {
    const old = {
      run: () => 'run',
      get gone(): never {
        throw new Error('deprecated')
      },
    }
    expect(call(chooseEntry({ default: old }, null, FILE))).toBe('run')
  })
})

describe('a file without a clear entry', () => {
  it('is told with its exports and a wrapper to add', () => {
    const error = failure({ plan: () => 0, answer: () => 0, LIMIT: 3 })
    expect(error.code).toBe('AGENT_NO_ENTRY')
    expect(error.message).toBe(
      'src/agent.ts exports plan, answer and LIMIT, and it is not clear which one to run',
    )
    expect(error.hint!.split('\n')).toEqual([
      'Name one (--agent src/agent.ts#plan), or add the function to run:',
      '  export async function run(input) {',
      '    return plan(input)',
      '  }',
    ])
  })

  it('may have two objects that could be called', () => {
    expect(failure({ a: { invoke: () => 0 }, b: { invoke: () => 0 } }).message).toContain('exports a and b')
  })

  it('may have a class only', () => {
    expect(failure({ Agent: class {} }).message).toBe('src/agent.ts exports only Agent, which is a class')
  })

  it('may lack the export that was named', () => {
    expect(failure({ run: () => 0 }, 'rum').message).toBe('src/agent.ts has no export "rum"; it exports run')
    expect(failure({}, 'run').message).toBe('src/agent.ts has no export "run"; it exports nothing')
    expect(failure({ default: { run: () => 0 } }, 'x').message).toContain('it exports run')
  })

  it('may name an export that cannot be called', () => {
    expect(failure({ Agent: class {} }, 'Agent').message).toBe(
      'The export "Agent" of src/agent.ts is a class',
    )
    expect(failure({ LIMIT: 3 }, 'LIMIT').message).toBe(
      'The export "LIMIT" of src/agent.ts is no function and has no invoke, run or generate',
    )
  })
})

it('never calls an export while it chooses, and never chooses a class', () => {
  const explode = (): never => {
    throw new Error('called')
  }
  const exported = fc.constantFrom<unknown>(explode, class {}, { invoke: explode }, {}, 1, null)
  const names = fc.constantFrom('default', 'run', 'agent', 'main', 'other', 'more')
  fc.assert(
    fc.property(fc.dictionary(names, exported), namespace => {
      const entry = attempt(() => chooseEntry(namespace, null, FILE))
      if (entry === null || entry.kind === 'script') return
      expect(String(namespace[entry.name])).not.toMatch(/^class/)
    }),
  )
})

function call(entry: ReturnType<typeof chooseEntry>, ...args: unknown[]): unknown {
  if (entry.kind === 'script') throw new Error('taken for a script')
  return entry.call(...args)
}

function failure(namespace: object, wanted: string | null = null): StepforkError {
  try {
    chooseEntry(namespace, wanted, FILE)
  } catch (error) {
    return error as StepforkError
  }
  throw new Error('an entry was chosen')
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    expect((error as StepforkError).code).toBe('AGENT_NO_ENTRY')
    return null
  }
}
