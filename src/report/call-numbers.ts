/** Numbers of calls as a short text: `1-4`, `2, 3, 5`. */

/** Runs of numbers written before the rest is counted. */
const MOST = 8

/** Ascending numbers. Three in a row or more are a range; so are two when there is nothing else. */
export function callNumbers(numbers: readonly number[], all: boolean): string {
  const runs = consecutive(numbers)
  if (runs.length === 1) return range(runs[0]!, 2)
  const shown = all ? runs : runs.slice(0, MOST)
  const left = runs.slice(shown.length).flat().length
  return shown.map(run => range(run, 3)).join(', ') + (left > 0 ? ` and ${left} more` : '')
}

function consecutive(numbers: readonly number[]): number[][] {
  const runs: number[][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last?.at(-1) === number - 1) last.push(number)
    else runs.push([number])
  }
  return runs
}

function range(run: readonly number[], shortest: number): string {
  return run.length >= shortest ? `${run[0]}-${run.at(-1)}` : run.join(', ')
}
