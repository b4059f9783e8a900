import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isAbsolute, relative } from 'node:path'
import { parseJsonFile } from '../json/parse-json-file.ts'
import { mergeRuns } from '../outcome/merge-runs.ts'
import type { RunOutcome } from '../outcome/outcome.ts'
import { parseTrajectory } from '../outcome/trajectory-schema.ts'
import { type ReplayOptions, replayBundle } from '../replay.ts'
import { githubReporter } from '../report/github.ts'
import { jsonReporter } from '../report/json.ts'
import { PIPED } from '../report/page.ts'
import { prettyReporter } from '../report/pretty.ts'
import type { Reporter } from '../report/reporter.ts'
import { version } from '../version.ts'
import { askOnTerminal, type TerminalAsker } from './ask-on-terminal.ts'
import { environmentWith, parseInput, readOptionFile, usage } from './option-values.ts'
import { programOf } from './program-of.ts'
import { startSpinner } from './spinner.ts'
import { paperFor } from './terminal.ts'

export interface ReplayFlags {
  readonly agent?: string
  readonly input?: string
  readonly mode: 'frozen' | 'hybrid' | 'live' | 'derived' | 'manual' | 'forbidden'
  readonly live: readonly string[]
  readonly allowLiveTool: readonly string[]
  readonly order: 'causal' | 'sequence' | 'any'
  readonly stopAtFirst?: boolean
  readonly timeout: number
  readonly stall: number
  readonly maxCalls?: number
  readonly envFile?: string
  readonly memory?: number
  readonly expect?: string
  readonly expectOutput?: string
  readonly save?: string
  readonly overwrite?: boolean
  readonly allowNet: readonly string[]
  readonly compareOutput: boolean
  readonly reporter: readonly string[]
  readonly json?: boolean
  readonly evidence: 'divergent' | 'all'
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly color?: boolean
  readonly loader: 'bundle' | 'tsx'
}

export async function replayCommand(
  bundles: readonly string[],
  argv: readonly string[],
  flags: ReplayFlags,
): Promise<number> {
  const options = replayOptions(flags, argv)
  if (options.save !== null && bundles.length > 1) {
    throw usage(
      `--save keeps the run of one recording, and ${bundles.length} are named`,
      'Replay them one by one.',
    )
  }
  const outputs = outputsOf(flags, bundles.length === 1)
  const asker = openTerminal(flags)
  for (const { reporter, write } of outputs) write(reporter.begin())
  const spinner = await startSpinner(
    bundles.length === 1 ? 'reading the recording' : `replaying ${bundles.length} recordings`,
    !flags.quiet && asker === null,
  )
  const started = { ...options, onStart: spinner.stop, ...(asker !== null && { answer: asker.answer }) }
  const runs = await replayAll(bundles, started, run => {
    spinner.stop()
    for (const { reporter, write } of outputs) write(reporter.run(run))
  })
  asker?.close()
  const outcome = mergeRuns(version, runs)
  for (const { reporter, write } of outputs) write(reporter.end(outcome))
  return outcome.exitCode
}

/** Mode manual asks on the terminal; null in every other mode. Throws USAGE where there is none. */
function openTerminal({ mode, color }: ReplayFlags): TerminalAsker | null {
  if (mode !== 'manual') return null
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw usage(
      'mode manual asks before each call, and there is no terminal to ask on',
      'Run it in a terminal, or say beforehand what may run: --live search',
    )
  }
  return askOnTerminal({
    input: process.stdin,
    output: process.stderr,
    paper: paperFor(process.stderr, color),
    isTerminal: true,
    onInterrupt: () => process.kill(process.pid, 'SIGINT'),
  })
}

function replayOptions(flags: ReplayFlags, argv: readonly string[]): ReplayOptions {
  return {
    program: programOf('replay', argv, flags),
    ...modeOf(flags),
    order: flags.order,
    ...(flags.input !== undefined && { input: parseInput(flags.input) }),
    stopAtFirst: flags.stopAtFirst ?? false,
    compareOutput: flags.compareOutput,
    timeoutMs: flags.timeout,
    stallMs: flags.stall,
    maxCalls: flags.maxCalls ?? null,
    allowNet: flags.allowNet,
    ...expectationOf(flags),
    save: flags.save ?? null,
    overwrite: flags.overwrite ?? false,
    evidence: flags.evidence,
    memoryBytes: flags.memory ?? null,
    env: environmentWith(flags.envFile),
    cwd: process.cwd(),
  }
}

/** What runs for real, and in which mode: nothing does that was not named, but the models in mode live. */
function modeOf({
  mode,
  live,
  allowLiveTool: tools,
  stopAtFirst,
}: ReplayFlags): Pick<ReplayOptions, 'mode' | 'live'> {
  if (tools.length > 0 && mode !== 'live') {
    throw usage('--allow-live-tool is for --mode live', 'To run one tool and nothing else, use --live.')
  }
  if (live.length > 0 && mode !== 'frozen' && mode !== 'hybrid') {
    throw usage(`--live and --mode ${mode} exclude each other`, 'What --live names runs in mode hybrid.')
  }
  if (mode === 'manual' && stopAtFirst) {
    throw usage('--stop-at-first and --mode manual exclude each other', 'When asked, answer s to stop.')
  }
  if (mode === 'hybrid' && live.length === 0) {
    throw usage(
      'mode hybrid needs to know what runs for real',
      'Name a tool or provider/model: --live search',
    )
  }
  return { mode: live.length > 0 ? 'hybrid' : mode, live: mode === 'live' ? tools : live }
}

function expectationOf({ expect, expectOutput }: ReplayFlags): Pick<ReplayOptions, 'expectation'> {
  if (expect !== undefined && expectOutput !== undefined) {
    throw usage('--expect and --expect-output exclude each other', null)
  }
  if (expect === 'fixed') return { expectation: { kind: 'fixed' } }
  if (expect !== undefined) {
    const text = readOptionFile(`--expect ${expect}`, expect, 'a trajectory file, or the word fixed')
    return { expectation: { kind: 'trajectory', trajectory: parseTrajectory(text, expect) } }
  }
  if (expectOutput === undefined) return {}
  const text = readOptionFile(`--expect-output ${expectOutput}`, expectOutput, 'a JSON file with the output')
  return { expectation: { kind: 'output', output: parseJsonFile(text, expectOutput) } }
}

/** As many at a time as there are cores, or one where questions are asked; reported in the order in which they were named. Ctrl-C begins no further one. */
async function replayAll(
  bundles: readonly string[],
  options: ReplayOptions,
  onRun: (run: RunOutcome) => void,
): Promise<RunOutcome[]> {
  const atATime = options.answer === undefined ? availableParallelism() : 1
  const running = new Map<number, Promise<RunOutcome>>()
  const runs: RunOutcome[] = []
  let next = 0
  let isInterrupted = false
  for (const index of bundles.keys()) {
    for (; !isInterrupted && next < bundles.length && running.size < atATime; next++) {
      running.set(next, replayBundle(bundles[next]!, options))
    }
    const run = await running.get(index)
    if (run === undefined) break
    running.delete(index)
    isInterrupted ||= run.exitCode === 130
    onRun(run)
    runs.push(run)
  }
  return runs
}

interface Output {
  readonly reporter: Reporter
  readonly write: (text: string) => void
}

const NAMES = ['pretty', 'json', 'github']

function outputsOf(flags: ReplayFlags, isSingle: boolean): Output[] {
  const wanted = [...flags.reporter, ...(flags.json ? ['json'] : [])].map(parseReporter)
  const hasStdout = wanted.filter(({ file, name }) => file === null && name !== 'github')
  if (hasStdout.length > 1)
    throw usage(
      'only one reporter can have standard output',
      'Give the others a file: --reporter json:out.json',
    )
  const chosen = hasStdout.length === 0 ? [{ name: 'pretty', file: null }, ...wanted] : wanted
  const isOnGithub = process.env.GITHUB_ACTIONS === 'true' && !wanted.some(({ name }) => name === 'github')
  return [...chosen, ...(isOnGithub ? [{ name: 'github', file: null }] : [])].map(({ name, file }) => ({
    reporter: reporterFor(name, file === null, flags, isSingle),
    write: writerFor(name, file),
  }))
}

function parseReporter(text: string): { readonly name: string; readonly file: string | null } {
  const [name = '', ...rest] = text.split(':')
  if (!NAMES.includes(name)) throw usage(`there is no reporter ${name}`, `There are ${NAMES.join(', ')}.`)
  return { name, file: rest.length === 0 ? null : rest.join(':') }
}

function reporterFor(name: string, isStdout: boolean, flags: ReplayFlags, isSingle: boolean): Reporter {
  if (name === 'json') return jsonReporter()
  if (name === 'github') return githubReporter(folderInRepository())
  const paper = isStdout ? paperFor(process.stdout, flags.color) : PIPED
  return prettyReporter({
    ...paper,
    verbose: flags.verbose ?? false,
    quiet: flags.quiet ?? false,
    single: isSingle && isStdout && process.stdout.isTTY,
  })
}

/** GitHub resolves the paths of annotations from the root of the checkout, which a step may have left. */
function folderInRepository(): string {
  const root = process.env.GITHUB_WORKSPACE
  const folder = root === undefined ? '' : relative(root, process.cwd())
  return folder.startsWith('..') || isAbsolute(folder) ? '' : folder.replaceAll('\\', '/')
}

/** Annotations are read from standard error as well, where they do not mix with the result. */
function writerFor(name: string, file: string | null): (text: string) => void {
  if (file === null) return text => void (name === 'github' ? process.stderr : process.stdout).write(text)
  let content = ''
  return text => {
    content += text
    writeFileSync(file, content)
  }
}
