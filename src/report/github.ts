/** Annotations of GitHub Actions: for each red run one, on the agent's line. */
import { posix } from 'node:path'
import type { RunOutcome } from '../outcome/outcome.ts'
import { causesOf } from './causes.ts'
import { drawnHint } from './drawn-words.ts'
import { headline } from './headline.ts'
import { hintText } from './hints.ts'
import type { Reporter } from './reporter.ts'
import { safe } from './safe-text.ts'
import { WORDS } from './words.ts'

/** `folder`: the working directory as seen from the root of the repository, where GitHub's paths begin; '' at the root. */
export function githubReporter(folder = ''): Reporter {
  return {
    begin: () => '',
    run: outcome => (outcome.exitCode === 0 ? '' : `${annotation(outcome, folder)}\n`),
    end: () => '',
  }
}

/** `::error file=src/agent.ts,line=14,col=5,title=…::message`: the escapes are those of the workflow commands. */
function annotation(run: RunOutcome, folder: string): string {
  const properties = Object.entries({ ...place(run, folder), title: `stepfork: ${run.bundle.path}` })
    .map(([name, value]) => `${name}=${property(String(value))}`)
    .join(',')
  return `::error ${properties}::${[headline(run), ...hint(run)].map(data).join('%0A')}`
}

function place(run: RunOutcome, folder: string): Readonly<Record<string, string | number>> {
  const source = causesOf(run)[0]?.found.source ?? null
  if (source !== null) return { file: within(folder, source.file), line: source.line, col: source.column }
  return run.agent !== null && 'file' in run.agent ? { file: within(folder, run.agent.file) } : {}
}

function within(folder: string, file: string): string {
  return posix.isAbsolute(file) ? file : posix.join(folder, file)
}

function hint(run: RunOutcome): string[] {
  if (run.error !== null) return run.error.hint === null ? [] : [run.error.hint]
  const first = causesOf(run)[0]?.found
  if (first === undefined) return []
  const drawn = drawnHint([first])
  return [...(drawn === null ? [] : [hintText(drawn)]), hintText(WORDS[first.kind].hint(first, run))]
}

/** Made safe first: then the text has no line end that could begin a command of its own. */
function data(text: string): string {
  return safe(text, { unicode: true }).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
