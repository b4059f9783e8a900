import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Mode } from '../../../src/plan/plan.ts'
import { treatmentOf } from '../../../src/plan/treatments.ts'
import type { ReplayPolicy } from '../../../src/trace/bundle.ts'
import type { Target } from '../../../src/trace/call.ts'

const tool: Target = { kind: 'tool', name: 'search' }
const model: Target = { kind: 'llm', provider: 'openai', model: 'gpt-4o' }
const named = ['search', 'openai/gpt-4o']

type Cell = 'recorded' | 'runs' | 'refused' | 'asked'
const WORDS = { serve: 'recorded', run: 'runs', refuse: 'refused' } as const

/** For each mode: a tool, a tool that is named, a model, a model that is named. */
const TABLE: { readonly [mode in Exclude<Mode, 'record'>]: readonly [Cell, Cell, Cell, Cell] } = {
  frozen: ['recorded', 'recorded', 'recorded', 'recorded'],
  hybrid: ['recorded', 'runs', 'recorded', 'runs'],
  live: ['refused', 'runs', 'runs', 'runs'],
  derived: ['runs', 'runs', 'recorded', 'recorded'],
  manual: ['asked', 'asked', 'asked', 'asked'],
  forbidden: ['refused', 'refused', 'refused', 'refused'],
}

const modes = Object.keys(TABLE) as (keyof typeof TABLE)[]

function row(mode: Mode, policy: ReplayPolicy): Cell[] {
  const cell = (target: Target, live: readonly string[]): Cell =>
    word(mode, treatmentOf(target, policy, { mode, live }).treatment)
  return [cell(tool, []), cell(tool, named), cell(model, []), cell(model, named)]
}

/** What the recording could serve is asked about in mode manual. */
function word(mode: Mode, treatment: keyof typeof WORDS): Cell {
  return mode === 'manual' && treatment === 'serve' ? 'asked' : WORDS[treatment]
}

describe('mode and policy decide how a recorded call is answered', () => {
  it.each(modes)('mode %s, where the recorded policy allows a replay', mode => {
    for (const policy of ['frozen', 'live', 'derived'] as const)
      expect(row(mode, policy)).toEqual(TABLE[mode])
  })

  it.each(modes)('mode %s refuses a call recorded as forbidden', mode => {
    expect(row(mode, 'forbidden')).toEqual(['refused', 'refused', 'refused', 'refused'])
  })

  it.each(modes)('mode %s refuses a call recorded as manual, but where it asks', mode => {
    const cell = mode === 'manual' ? 'asked' : 'refused'
    expect(row(mode, 'manual')).toEqual([cell, cell, cell, cell])
  })

  it('nothing runs for real that was not named, but the models of mode live', () => {
    for (const mode of ['frozen', 'hybrid', 'forbidden'] as const) {
      expect([row(mode, 'live')[0], row(mode, 'live')[2]]).not.toContain('runs')
    }
  })

  it('the page shows this table', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../docs/modes.md'), 'utf8')
    for (const mode of modes) expect(page).toContain(`| \`${mode}\` | ${TABLE[mode].join(' | ')} |`)
  })
})
