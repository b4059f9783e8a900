import { describe, expect, it } from 'vitest'
import { mergeRuns } from '../../../src/outcome/merge-runs.ts'
import type { RunOutcome } from '../../../src/outcome/outcome.ts'

describe('many runs', () => {
  const ran = (exitCode: RunOutcome['exitCode'], verdict: RunOutcome['verdict']): RunOutcome =>
    ({ exitCode, verdict }) as RunOutcome
  const [fine, again, red, bad, stopped] = [
    ran(0, 'matched'),
    ran(0, 'reproduced'),
    ran(1, 'diverged'),
    ran(2, 'error'),
    ran(130, 'diverged'),
  ]

  it.each([
    [[fine], 0, 'matched'],
    [[fine, again], 0, 'reproduced'],
    [[again, red, fine], 1, 'diverged'],
    [[red, bad], 2, 'error'],
    [[bad, stopped, red], 130, 'error'],
    [[], 2, 'error'],
  ] as const)('count by the worst: %#', (runs, exitCode, verdict) => {
    expect(mergeRuns('0.1.0', runs)).toMatchObject({ stepfork: '0.1.0', shape: 1, exitCode, verdict, runs })
  })
})
