/** A run of recorded turns that is asked again. The session decides what answers, as in every other replay. */
import type { TurnReplayError } from '../errors.ts'
import type { Json } from '../json/value.ts'
import { identityOf } from '../plan/identity.ts'
import type { Answer, LiveRequest } from '../session/live-call.ts'
import { createSession } from '../session/session.ts'
import type { Target } from '../trace/call.ts'
import { contradicts, hashOf, type RequestHashes, requestHashes, type TurnRequest } from './request-hash.ts'
import type { StepRecord, ToolCallRecord } from './step-record.ts'
import {
  faultyStep,
  noTurnLeft,
  otherRequest,
  type TurnMismatch,
  toolNotAsked,
  turnNotAsked,
  unrecordedTool,
} from './turn-errors.ts'
import { ANY_ARGUMENTS, MODEL, type ServedTurn, type TurnEntry, turnPlan } from './turn-plan.ts'

export interface ReplayProviderOptions {
  /** Pass over steps that only ran tools, which otherwise stop the run. Default false. */
  readonly skipToolOnly?: boolean
  /** What becomes of a request whose hash is not the recorded one; `warn` serves it and keeps the mismatch. Default `error`. */
  readonly onMismatch?: 'error' | 'warn' | 'ignore'
  /** Makes the hashes of a request in the way in which those of the recording were made, if that was not `recordTurn`. */
  readonly hashRequest?: (request: TurnRequest) => RequestHashes
}

export interface RecordedTurns {
  /** The next turn. Throws TurnReplayError, and stays where it is, when there is none or it is not for this request. */
  serve(request: TurnRequest | undefined): ServedTurn
  /** What the tool gave back then, or that it has to run again. Throws TurnReplayError when no recorded call is left. */
  takeTool(tool: string, args: unknown): { readonly returned: Json } | 'run'
  /** The first thing that was refused, else the first that was not asked for; null when all was as recorded. */
  firstFault(wrapped: ReadonlySet<string>): TurnReplayError | null
  /** How many turns are still to be served. */
  remaining(): number
  /** What `onMismatch: 'warn'` let pass. */
  readonly mismatches: readonly TurnMismatch[]
}

export function createRecordedTurns(
  runId: string,
  steps: readonly StepRecord[],
  options: ReplayProviderOptions,
): RecordedTurns {
  const run = { runId, steps }
  const { plan, entries, comparable } = turnPlan(runId, steps, options.skipToolOnly ?? false)
  const session = createSession(plan, () => {}, { onDivergence: 'stop' })
  const mismatches: TurnMismatch[] = []
  const askedTools = new Set<ToolCallRecord>()
  let remaining = entries.filter(entry => entry.kind === 'turn').length
  let last: number | null = null
  let refused: TurnReplayError | null = null
  ask(plan.calls[0]!.target, () => true)

  return {
    serve: request => {
      const entry = nextTurn()
      if (entry.served === null) throw kept(faultyStep(run, entry.position, entry.fault))
      const mismatch = mismatchOf(entry, request, options)
      const answer = ask(MODEL, () => mismatch === null || options.onMismatch === 'warn')
      if (answer.kind === 'refuse') throw kept(otherRequest(run, mismatch!))
      if (mismatch !== null) mismatches.push(mismatch)
      remaining--
      last = entry.position
      return entry.served
    },
    takeTool: (tool, args) => {
      const isCompared = comparable.has(tool)
      const key = isCompared ? hashOf(args) : ANY_ARGUMENTS
      const answer = ask({ kind: 'tool', name: tool }, () => false, key)
      if (answer.kind === 'refuse') throw kept(unrecordedTool(run, last, tool, isCompared))
      const entry = entries[answer.live.call!]!
      if (answer.kind === 'run' || entry.kind !== 'tool') return 'run'
      askedTools.add(entry.record)
      return { returned: structuredClone(returnOf(entry.record)) }
    },
    firstFault: wrapped => {
      if (refused !== null) return refused
      const turn = session.firstUnmade()
      if (turn !== null) return turnNotAsked(run, (entries[turn.number - 1] as TurnEntry).position)
      const tool = steps.findIndex(step => step.tool_calls.some(call => isUnasked(call, wrapped)))
      return tool === -1
        ? null
        : toolNotAsked(run, tool, steps[tool]!.tool_calls.find(call => isUnasked(call, wrapped))!.tool)
    },
    remaining: () => remaining,
    mismatches,
  }

  function isUnasked(call: ToolCallRecord, wrapped: ReadonlySet<string>): boolean {
    return call.is_side_effecting && wrapped.has(call.tool) && !askedTools.has(call)
  }

  /** An agent, or its SDK, may swallow what is thrown; a test must still hear of it. */
  function kept(error: TurnReplayError): TurnReplayError {
    refused ??= error
    return error
  }

  /** Nothing waits for anything here, so what the session hands out for a call is taken at once. */
  function ask(target: Target, same: LiveRequest['same'], key = ''): Answer {
    const identity = identityOf(target)
    const answer = session.call({ ...LIVE, target, identity, same, key: () => key })
    if (answer.kind !== 'run') session.turn()
    return answer
  }

  function nextTurn(): TurnEntry {
    const next = session.firstUnmade()
    const entry = next === null ? undefined : entries[next.number - 1]
    if (entry?.kind !== 'turn') throw kept(noTurnLeft(run))
    return entry
  }
}

const LIVE = { parent: null, sync: false, pulls: false, prompt: false, afterEnd: false } as const

function mismatchOf(
  { position, step }: TurnEntry,
  request: TurnRequest | undefined,
  { hashRequest = requestHashes, onMismatch }: ReplayProviderOptions,
): TurnMismatch | null {
  const { prompt_hash = '', params_hash = '' } = step.inference ?? {}
  // Most recordings carry no hash, and then the request is not worth hashing.
  if (request === undefined || onMismatch === 'ignore' || `${prompt_hash}${params_hash}` === '') return null
  const { promptHash, paramsHash } = hashRequest(request)
  const place = { position, superStep: step.key.super_step }
  if (contradicts(prompt_hash, promptHash)) {
    return { ...place, part: 'prompt', recorded: prompt_hash, actual: promptHash }
  }
  if (contradicts(params_hash, paramsHash)) {
    return { ...place, part: 'params', recorded: params_hash, actual: paramsHash }
  }
  return null
}

/** What the tool gave back, out of the wrapper that the crates put around it; a command is handed over as it is. */
function returnOf({ ret }: ToolCallRecord): Json {
  if (typeof ret !== 'object' || ret === null || Array.isArray(ret)) return ret
  const [[name, value] = ['', null], ...others] = Object.entries(ret)
  return others.length === 0 && (name === 'Content' || name === 'ContentAndArtifact') ? value : ret
}
