/** The command line: names, options, help. Commands are loaded when they are called. */
import { Command, Option } from 'commander'
import { version } from '../version.ts'
import { collect, parseAddress, parseCount, parseSize, parseTime } from './option-values.ts'

const EXIT_CODES = `
Exit codes: 0 matched, or failed as recorded; 1 diverged, or issues found; 2 usage,
unreadable bundle, agent that cannot be loaded, nothing compared; 3 no integrity record;
130 interrupted.`

const LOADER = new Option('--loader <name>', 'bundle, or tsx for an agent that computes its imports')
  .choices(['bundle', 'tsx'])
  .default('bundle')

function envFile(): Option {
  return new Option('--env-file <file>', 'set variables of the agent from lines like NAME=value')
}

const COLOR = new Option('--color', 'colour even where it is not a terminal').hideHelp()
const NO_COLOR = new Option('--no-color', 'no colour; --color: always')

/** `done` gets the exit code of the command that ran; `argv` is what follows `--`. */
export function createProgram(argv: readonly string[], done: (exitCode: number) => void): Command {
  const program = new Command('stepfork')
    .description(
      'Re-run an AI agent against a recording of one of its runs and see, call by call, what changed.',
    )
    .version(`stepfork ${version}`, '-V, --version')
    .addHelpText('after', EXIT_CODES)
    // Errors are printed where all errors end (main.ts).
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    // Choices and defaults stand in the descriptions, in words: what commander adds takes a line each.
    .configureHelp({ helpWidth: 88, optionDescription: ({ description }) => description })
  addReplay(program, argv, done)
  addInspect(program, done)
  addValidate(program, done)
  addRecord(program, argv, done)
  return program
}

function addReplay(program: Command, argv: readonly string[], done: (exitCode: number) => void): void {
  program
    .command('replay')
    .summary('run an agent against its recording')
    .description('Run an agent against its recording: every call is answered from it and checked.')
    .argument('<bundle...>', 'recorded runs (.sftrace folders), or cassettes (.json)')
    .usage('<bundle...> [options] --agent <file>, or … -- <command…>')
    .option('--agent <file[#export]>', 'the agent: a TypeScript or JavaScript file')
    .option('--input <value>', 'in place of the recorded input: JSON, text, @file or -')
    .addOption(
      new Option('--mode <mode>', 'frozen, hybrid, live, derived, manual or forbidden (docs/modes.md)')
        .choices(['frozen', 'hybrid', 'live', 'derived', 'manual', 'forbidden'])
        .default('frozen'),
    )
    .option('--live <name>', 'run this tool or provider/model for real (repeatable)', collect, [])
    .option('--allow-live-tool <tool>', 'with --mode live: this tool may run (repeatable)', collect, [])
    .option('--save <bundle>', 'write the run that results; --overwrite: replace it')
    .addOption(new Option('--overwrite', 'replace the bundle named with --save').hideHelp())
    .addOption(
      new Option('--order <order>', 'causal, sequence (one after the other), or any')
        .choices(['causal', 'sequence', 'any'])
        .default('causal'),
    )
    .option('--stop-at-first', 'end at the first divergence')
    .option('--no-compare-output', 'do not compare what the agent returns')
    .option('--expect-output <file>', 'hold the output against this JSON file')
    .option('--expect <file>', 'a trajectory file, or fixed: the failure must be gone')
    .option(
      '--timeout <time>',
      'end a run that is silent for so long (60s; 0: never)',
      parseTime('--timeout'),
      60_000,
    )
    .option('--stall <time>', 'silence after which a held call is answered (1s)', parseTime('--stall'), 1000)
    .option(
      '--max-calls <n>',
      'end a run that makes more calls (twice the recorded and 100)',
      parseCount('--max-calls'),
    )
    .option('--memory <size>', 'end a run whose heap grows beyond this: 512mb, 2g', parseSize('--memory'))
    .addOption(envFile())
    .option('--allow-net <host:port>', 'leave this address open (repeatable)', parseAddress, [])
    .option('--reporter <name[:file]>', 'pretty, json or github (repeatable)', collect, [])
    .option('--json', 'the same as --reporter json')
    .addOption(
      new Option('--evidence <level>', 'divergent, or all: both sides of every call in --json')
        .choices(['divergent', 'all'])
        .default('divergent'),
    )
    .option('--quiet', 'print red runs only, a line each')
    .option('--verbose', 'print all there is')
    .addOption(COLOR)
    .addOption(NO_COLOR)
    .addOption(LOADER)
    .addHelpText('after', `\nExample: stepfork replay refund.sftrace --agent src/refund.ts\n${EXIT_CODES}`)
    .action(async (bundles: string[], flags) => {
      const { replayCommand } = await import('./replay-command.ts')
      done(await replayCommand(bundles, argv, flags))
    })
}

function addInspect(program: Command, done: (exitCode: number) => void): void {
  program
    .command('inspect')
    .summary('list the recorded calls')
    .description('List the calls of a recorded run.')
    .argument('<bundle>', 'a recorded run (.sftrace folder)')
    .option('--events', 'list events instead of calls')
    .option('--step <n>', 'one step, in full', parseCount('--step'))
    .option('--errors-only', 'only what failed')
    .option('--json', 'one JSON object')
    .addOption(COLOR)
    .addOption(NO_COLOR)
    .addHelpText('after', `\nExample: stepfork inspect refund.sftrace\n${EXIT_CODES}`)
    .action(async (path: string, flags) => {
      const { inspectCommand } = await import('./inspect-command.ts')
      done(inspectCommand(path, flags))
    })
}

function addValidate(program: Command, done: (exitCode: number) => void): void {
  program
    .command('validate')
    .summary('check that recordings are whole and sound')
    .description(
      'Check that recorded runs are well-formed, and with --verify-integrity that nobody changed them.',
    )
    .argument('<bundle...>', 'recorded runs (.sftrace folders)')
    .option('--partial', 'a run that lacks its beginning is fine')
    .option('--verify-integrity', 'check file digests and payload hashes')
    .option('--secrets', 'name what looks like a secret')
    .option('--json', 'print JSON')
    .addOption(COLOR)
    .addOption(NO_COLOR)
    .addHelpText('after', `\nExample: stepfork validate traces/*.sftrace --verify-integrity\n${EXIT_CODES}`)
    .action(async (paths: string[], flags) => {
      const { validateCommand } = await import('./validate-command.ts')
      done(validateCommand(paths, flags))
    })
}

function addRecord(program: Command, argv: readonly string[], done: (exitCode: number) => void): void {
  program
    .command('record')
    .summary('run an agent for real and record it')
    .description(
      'Run an agent for real and write down its calls: requests over HTTP as they are, and what is wrapped.',
    )
    .usage('[options] --agent <file>, or … -- <command…>')
    .option('--agent <file[#export]>', 'the agent: a TypeScript or JavaScript file')
    .option('--input <value>', 'its input: JSON, text, @file or -')
    .option('--name <agent name>', 'its name in the recording')
    .option('-o, --output <bundle or folder>', 'where to write (traces/<agent>-<n>.sftrace)')
    .option('--overwrite', 'replace an existing bundle')
    .option('--again <bundle>', 'the same input once more, swapped in, with what changed')
    .option('--seeded', 'keep a seed of its random bytes: more matches, but the bundle is a secret')
    .addOption(
      new Option('--redaction <profile>', 'strong, or compatible with Python (docs/secrets.md)').choices([
        'strong',
        'compatible',
      ]),
    )
    .option('--recover <folder>', 'finish a recording that was cut off (….sftrace.part)')
    .addOption(envFile())
    .option('--timeout <time>', 'end a run that is silent for so long (never)', parseTime('--timeout'), 0)
    .addOption(COLOR)
    .addOption(NO_COLOR)
    .addOption(LOADER)
    .addHelpText(
      'after',
      `\nExample: stepfork record --agent src/refund.ts --input 'Where is order A-17?'\n${EXIT_CODES}`,
    )
    .action(async flags => {
      const { recordCommand } = await import('./record-command.ts')
      done(await recordCommand(argv, flags))
    })
}
