/** Annotations of GitHub Actions: for each red run one, on the agent's line. */
import type { RunOutcome } from '../outcome/outcome.ts'
import { causesOf } from './causes.ts'
import { headline } from './headline.ts'
import { hintText } from './hints.ts'
import type { Reporter } from './reporter.ts'
import { safe } from './safe-text.ts'
import { WORDS } from './words.ts'

export function githubReporter(): Reporter {
  return {
    begin: () => '',
    run: outcome => (outcome.exitCode === 0 ? '' : `${annotation(outcome)}\n`),
    end: () => '',
  }
}

/** `::error file=src/agent.ts,line=14,col=5,title=…::message`: the escapes are those of the workflow commands. */
function annotation(run: RunOutcome): string {
  const properties = Object.entries({ ...place(run), title: `stepfork: ${run.bundle.path}` })
    .map(([name, value]) => `${name}=${property(String(value))}`)
    .join(',')
  return `::error ${properties}::${[headline(run), ...hint(run)].map(data).join('%0A')}`
}

function place(run: RunOutcome): Readonly<Record<string, string | number>> {
  const source = causesOf(run)[0]?.found.source ?? null
  if (source !== null) return { file: source.file, line: source.line, col: source.column }
  return run.agent !== null && 'file' in run.agent ? { file: run.agent.file } : {}
}

function hint(run: RunOutcome): string[] {
  if (run.error !== null) return run.error.hint === null ? [] : [run.error.hint]
  const first = causesOf(run)[0]?.found
  return first === undefined ? [] : [hintText(WORDS[first.kind].hint(first, run))]
}

/** Made safe first: then the text has no line end that could begin a command of its own. */
function data(text: string): string {
  return safe(text, { unicode: true }).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
