/** A line on standard error while something is prepared; nothing where that is not a terminal. */
export interface Spinner {
  stop(): void
}

export async function startSpinner(text: string, isWanted: boolean): Promise<Spinner> {
  // A terminal of no size, as some CI has it: ora clears its line for ever there.
  if (!isWanted || !process.stderr.isTTY || process.stderr.columns === 0) return { stop: () => {} }
  const { default: ora } = await import('ora')
  const spinner = ora({ text, stream: process.stderr, discardStdin: false }).start()
  return { stop: () => void spinner.stop() }
}
