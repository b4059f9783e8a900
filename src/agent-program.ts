/** What is run: a file of the user's that we load, or a command that is started as it is. The same steps for both. */
import { basename, extname, resolve } from 'node:path'
import type { Answerer } from './agent/answer-questions.ts'
import type { RunJob } from './agent/child-job.ts'
import { launchCommand } from './agent/launch-command.ts'
import { launchAgent } from './agent/supervise.ts'
import type { ProcessEnd } from './agent/watch-child.ts'
import { type AgentSpec, type LoadedAgent, type Loader, loadAgent, loaderArguments } from './agent-spec.ts'
import type { Json } from './json/value.ts'
import type { AgentBundle } from './load/bundle-agent.ts'
import { showPath } from './load/show-path.ts'
import type { RunOutcome } from './outcome/outcome.ts'
import type { OriginHeader } from './trace/origin.ts'

export type Program =
  | {
      readonly kind: 'file'
      readonly spec: AgentSpec
      readonly loader: Loader
      /** What follows `--`: its `process.argv`. */
      readonly argv: readonly string[]
    }
  | { readonly kind: 'command'; readonly command: readonly string[] }

export interface StartOptions {
  readonly env: NodeJS.ProcessEnv
  /** For Node, before the file. */
  readonly nodeOptions: readonly string[]
  readonly cwd: string
  readonly answer?: Answerer | undefined
  /** A command keeps its standard output while it is recorded. */
  readonly keepsOutput: boolean
}

export interface StartedProgram {
  /** Throws what loading an agent throws. */
  load(): Promise<LoadedProgram>
  /** Ends it and all that it started. */
  kill(): void
}

export interface LoadedProgram {
  /** As reports and the origin log show it. */
  readonly shown: NonNullable<RunOutcome['agent']>
  /** For stack positions; null where nothing was bundled. */
  readonly bundle: AgentBundle | null
  readonly isScript: boolean
  /** `input` is what a file's function is called with. */
  run(job: RunJob, input: Json, timeoutMs: number): Promise<ProcessEnd>
  dispose(): void
}

/** First of all: Node starts while the recording is read and the agent bundled. A command starts when it is run. */
export function startProgram(program: Program, options: StartOptions): StartedProgram {
  return program.kind === 'file' ? startFile(program, options) : prepareCommand(program, options)
}

/** As the user named it: for what is said when it cannot be loaded. */
export function shownProgram(program: Program, cwd: string): NonNullable<RunOutcome['agent']> {
  if (program.kind === 'command') return { command: program.command }
  return shownFile(program, resolve(cwd, program.spec.file), cwd)
}

export function originOf(shown: NonNullable<RunOutcome['agent']>): NonNullable<OriginHeader['agent']> {
  return 'command' in shown ? shown : { file: shown.file, export: shown.export }
}

/** What a recording calls the agent when the user does not say: its file, or in a command the first that is one. */
export function nameOfProgram(program: Program): string {
  const file =
    program.kind === 'file'
      ? program.spec.file
      : (program.command.find(word => /\.[cm]?[jt]sx?$/.test(word)) ?? program.command[0] ?? '')
  return basename(file, extname(file))
}

type FileProgram = Extract<Program, { kind: 'file' }>
type CommandProgram = Extract<Program, { kind: 'command' }>

function startFile(program: FileProgram, { env, nodeOptions, cwd, answer }: StartOptions): StartedProgram {
  const { spec } = program
  const loader = loaderArguments(spec, program.loader)
  const child = launchAgent({
    env: { ...env, ...loader.env },
    execArgv: [...loader.execArgv, ...nodeOptions],
    cwd,
    ...(answer !== undefined && { answer }),
  })
  return {
    load: async () => {
      const agent = await loadAgent(spec, program.loader)
      return {
        shown: shownFile(program, agent.file, cwd),
        bundle: agent.bundle,
        isScript: agent.isScript === true,
        run: (job, input, timeoutMs) =>
          child.run(
            { ...job, ...loadedBy(agent), export: spec.export, argv: program.argv, input },
            timeoutMs,
          ),
        dispose: agent.dispose,
      }
    },
    kill: child.kill,
  }
}

function loadedBy({ code, file, isScript }: LoadedAgent): Pick<LoadedAgent, 'code' | 'file' | 'isScript'> {
  return { code, file, isScript }
}

function shownFile({ spec, loader, argv }: FileProgram, file: string, cwd: string) {
  const named = { file: showPath(file, cwd), export: spec.export }
  return { ...named, ...(argv.length > 0 && { argv }), ...(loader === 'tsx' && { loader }) }
}

/** Its arguments are its input. */
function prepareCommand({ command }: CommandProgram, options: StartOptions): StartedProgram {
  const { env, nodeOptions, cwd, keepsOutput } = options
  const started = launchCommand({ command, env, nodeOptions, cwd, keepsOutput })
  return {
    load: async () => ({
      shown: { command },
      bundle: null,
      isScript: true,
      run: (job, _input, timeoutMs) => started.run(job, timeoutMs),
      dispose: () => {},
    }),
    kill: started.kill,
  }
}
