/** What to do next: a sentence, and where there is one a command to paste. Only commands that exist are named. */

import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Divergence, RunOutcome } from '../outcome/outcome.ts'
import { pathArgument, shellQuote } from './shell-command.ts'

export interface Hint {
  readonly sentence: string
  /** Parts of a shell command, quoted; a line may be broken between two of them, not inside one. */
  readonly command: readonly string[] | null
}

/** `reason` is the condition under which recording again is right. */
export function recordAgain(run: RunOutcome, reason: string): Hint {
  if (isCassette(run)) return act(`${reason}, write it into ${run.bundle.path}.`)
  const { input, path } = run.bundle
  const given = input === undefined ? '' : inputArgument(input)
  const sentence = `${reason}, record again (tools run for real${given === null ? '; same --input' : ''}):`
  const more = given === null || given === '' ? [] : [given]
  return hint(run, sentence, agent => [
    'npx stepfork record',
    `--again ${pathArgument(path)}`,
    agent,
    ...more,
  ])
}

/** Longer than this it is no argument that anybody would want to paste. */
const LONGEST_INPUT = 200

/** `--input` for a recorded input, empty for none; null for one that is too long. A text that is no JSON stands for itself. */
function inputArgument(input: Json): string | null {
  if (input === null) return ''
  const isProse = typeof input === 'string' && !/^\s*(?:[[{"@\d-]|true|false|null)/.test(input)
  const text = isProse ? input : writeJson(input)
  return text.length > LONGEST_INPUT ? null : `--input ${shellQuote(text)}`
}

export function replayAgain(run: RunOutcome, sentence: string, flags?: string): Hint {
  const more = [...asBefore(run, flags ?? ''), ...(flags === undefined ? [] : [flags])]
  return hint(run, sentence, agent => ['npx stepfork replay', pathArgument(run.bundle.path), agent, ...more])
}

/** Mode and order that this run was asked for, unless other flags say so already. */
function asBefore(run: RunOutcome, flags: string): string[] {
  const usual = isCassette(run) ? 'any' : 'causal'
  const isLive = flags.includes('--live')
  return [
    ...(isLive || run.mode === 'frozen' || run.mode === 'hybrid' ? [] : [`--mode ${run.mode}`]),
    ...(isLive || run.mode !== 'hybrid' ? [] : liveFlags(executedLabels(run))),
    ...(run.order === usual || flags.includes('--order') ? [] : [`--order ${run.order}`]),
  ]
}

/** `sentence` ends in how one call is freed from its order, if it can be; the command frees all. */
export function freeOrder(run: RunOutcome, sentence: string): Hint {
  return replayAgain(run, `${sentence}free all calls with --order any:`, '--order any')
}

/** An extra call has no recorded answer: run it for real, with all calls of its name, and keep the run that results. */
export function runOnce(found: Divergence, run: RunOutcome): Hint {
  const { label, facts } = found
  const what = facts.recordedLabels?.includes(label) === true ? `Run each ${label}` : 'Run this one call'
  return runAside(run, `There is no recorded answer to accept. ${what} for real, once:`, [label])
}

/** It ran for real already: what is left is to keep that run, or to go by the one that was kept. */
export function keepExecuted({ label }: Divergence, run: RunOutcome): Hint {
  const saved = run.notes.find(({ code }) => code === 'saved')
  if (saved !== undefined) {
    const kept: RunOutcome = { ...run, mode: 'frozen', bundle: { ...run.bundle, path: saved.detail } }
    return replayAgain(kept, 'If the new call is right, go by the run that was kept:')
  }
  return runAside(run, 'If the new call is right, keep the run that results:', [label])
}

/** What ran for real in this run does so again. */
function runAside(run: RunOutcome, sentence: string, labels: readonly string[]): Hint {
  const live = liveFlags([...executedLabels(run), ...labels])
  const aside = run.bundle.path.replace(/(\.sftrace)?\/?$/, '.new.sftrace')
  return replayAgain(run, sentence, `${live.join(' ')} --save ${pathArgument(aside)}`)
}

function executedLabels(run: RunOutcome): string[] {
  return run.calls.filter(({ answer }) => answer === 'executed').map(call => call.label)
}

function liveFlags(labels: readonly string[]): string[] {
  return [...new Set(labels)].map(label => `--live ${shellQuote(label)}`)
}

export function inspectRecording(run: RunOutcome, sentence: string): Hint {
  if (isCassette(run)) return act(sentence.replace(/:$/, '.'))
  return { sentence, command: ['npx stepfork inspect', pathArgument(run.bundle.path)] }
}

export function validateRecording(run: RunOutcome, sentence: string): Hint {
  if (isCassette(run)) return act(sentence.replace(/:$/, '.'))
  return {
    sentence,
    command: ['npx stepfork validate', pathArgument(run.bundle.path), '--verify-integrity'],
  }
}

/** Written by hand, and read by no other command. */
function isCassette(run: RunOutcome): boolean {
  return run.bundle.path.endsWith('.json')
}

export function act(sentence: string): Hint {
  return { sentence, command: null }
}

/** `--agent file#export`, or what follows `--`. */
export function agentArgument(agent: NonNullable<RunOutcome['agent']>): string {
  if ('command' in agent) return `-- ${agent.command.map(shellQuote).join(' ')}`
  const named = agent.export === null || agent.export === 'default' ? '' : `#${agent.export}`
  const loader = agent.loader === undefined ? '' : ` --loader ${agent.loader}`
  return `--agent ${pathArgument(agent.file + named)}${loader}`
}

/** The agent's own arguments, after everything else. */
export function argvArgument(agent: NonNullable<RunOutcome['agent']>): readonly string[] {
  if ('command' in agent || agent.argv === undefined || agent.argv.length === 0) return []
  return [`-- ${agent.argv.map(shellQuote).join(' ')}`]
}

/** One text: for JSON and annotations. */
export function hintText({ sentence, command }: Hint): string {
  return command === null ? sentence : `${sentence} ${command.join(' ')}`
}

/** A run in this process has no agent file: then the sentence stands alone. A command after `--` goes last. */
function hint(run: RunOutcome, sentence: string, parts: (agent: string) => readonly string[]): Hint {
  if (run.agent === null) return { sentence: sentence.replace(/:$/, '.'), command: null }
  const agent = agentArgument(run.agent)
  const command = parts(agent)
  const ordered = agent.startsWith('-- ') ? [...command.filter(part => part !== agent), agent] : command
  return { sentence, command: [...ordered, ...argvArgument(run.agent)] }
}
