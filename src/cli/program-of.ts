import type { Program } from '../agent-program.ts'
import { parseAgentSpec } from '../agent-spec.ts'
import { usage } from './option-values.ts'

export interface ProgramFlags {
  readonly agent?: string
  readonly input?: string
  readonly mode?: string
  readonly loader: 'bundle' | 'tsx'
}

/** `--agent <file>`, with its arguments behind `--`, or a command behind `--`. Throws USAGE. */
export function programOf(verb: string, argv: readonly string[], flags: ProgramFlags): Program {
  const { agent, loader } = flags
  if (agent !== undefined) return { kind: 'file', spec: parseAgentSpec(agent), loader, argv }
  if (argv.length === 0) {
    throw usage(`${verb} needs an agent`, 'Name its file: --agent ./agent.ts; or a command: -- node agent.js')
  }
  for (const [given, instead] of refusedWithCommand(flags)) {
    throw usage(`${given} is for an agent file, and -- is followed by a command`, instead)
  }
  return { kind: 'command', command: argv }
}

function refusedWithCommand({ input, mode, loader }: ProgramFlags): [string, string][] {
  return [
    ...(input === undefined
      ? []
      : [['--input', 'A command is given its input as arguments.'] as [string, string]]),
    ...(mode === 'manual'
      ? [['--mode manual', 'Name the file: --agent ./agent.ts'] as [string, string]]
      : []),
    ...(loader === 'tsx' ? [['--loader', 'Start it with tsx: -- npx tsx agent.ts'] as [string, string]] : []),
  ]
}
