/** The report for programs: one JSON document at the end (shape 1, docs/json.md). */
import type { Difference } from '../json/compare.ts'
import { isDeeperThan, type Json, type JsonObject, MAX_DEPTH } from '../json/value.ts'
import type { CallOutcome, CallSide, Divergence, Outcome, RunOutcome } from '../outcome/outcome.ts'
import type { Source } from '../trace/source.ts'
import { drawnHint } from './drawn-words.ts'
import { hintText } from './hints.ts'
import { jsonDocument } from './json-document.ts'
import { NOTE_WORDS } from './note-words.ts'
import type { Reporter } from './reporter.ts'
import { WORDS } from './words.ts'

/** Integers beyond 2^53 are written as numbers with all their digits; hidden characters as `\u202e`. */
export function jsonReporter(): Reporter {
  return {
    begin: () => '',
    run: () => '',
    end: outcome => jsonDocument(outcomeJson(outcome)),
  }
}

function outcomeJson({ stepfork, shape, verdict, exitCode, runs }: Outcome): JsonObject {
  return { stepfork, shape, verdict, exitCode, runs: runs.map(runJson) }
}

function runJson(run: RunOutcome): JsonObject {
  return {
    bundle: withoutInput(run.bundle),
    agent: run.agent === null ? null : { ...run.agent },
    mode: run.mode,
    order: run.order,
    ...(run.isolation === 'in-process' ? { isolation: run.isolation } : {}),
    verdict: run.verdict,
    exitCode: run.exitCode,
    durationMs: run.durationMs,
    totals: { ...run.totals },
    calls: run.calls.map(callJson),
    divergences: run.divergences.map(found => divergenceJson(found, run)),
    output: { ...run.output, differences: run.output.differences.map(differenceJson) },
    failure: run.failure === null ? null : { ...run.failure },
    liveCalls: run.liveCalls,
    notes: run.notes.map(({ code, detail }) => ({ code, message: NOTE_WORDS[code](detail) })),
    served: { ...run.served },
    rules: run.rules,
    error: run.error === null ? null : { ...run.error },
  }
}

function callJson(call: CallOutcome): JsonObject {
  const { number, live, kind, label, step, verdict, answer, servedFrom, source, sides } = call
  return {
    ...{ number, live, kind, label, step, verdict, answer, servedFrom, source: sourceJson(source) },
    ...(sides !== undefined && { recorded: sideJson(sides.recorded), actual: sideJson(sides.actual) }),
  }
}

function sideJson(side: CallSide | null): Json {
  if (side === null) return null
  const error = side.error === null ? null : { ...side.error }
  return { ...side, input: bounded(side.input), output: bounded(side.output), error }
}

function divergenceJson(found: Divergence, run: RunOutcome): JsonObject {
  const { kind, call, live, label, root, causedBy, occurrences } = found
  const words = WORDS[kind]
  return {
    ...{ kind, call, live, label, root, causedBy, occurrences },
    message: words.headline(found, run),
    hint: [drawnHint([found]), words.hint(found, run)]
      .flatMap(hint => (hint === null ? [] : hintText(hint)))
      .join(' '),
    recorded: bounded(found.recorded),
    actual: bounded(found.actual),
    source: sourceJson(found.source),
    differences: found.differences.map(differenceJson),
  }
}

function differenceJson({ path, change, recorded, actual }: Difference): JsonObject {
  return {
    path,
    change,
    ...(recorded === undefined ? {} : { recorded: bounded(recorded) }),
    ...(actual === undefined ? {} : { actual: bounded(actual) }),
  }
}

function sourceJson(source: Source | null): JsonObject | null {
  if (source === null) return null
  const { file, line, column, function: name, calledFrom, frame } = source
  return {
    ...{ file, line, column, function: name },
    calledFrom: calledFrom === null ? null : { ...calledFrom },
    ...(frame === undefined ? {} : { frame }),
  }
}

/** The document adds levels of its own: a value at the limit of nesting would make the whole of it unprintable. */
function bounded(value: Json): Json {
  return isDeeperThan(value, MAX_DEPTH - 10) ? `(nested deeper than ${MAX_DEPTH - 10} levels)` : value
}

/** The input stands in the recording, and may be long. */
function withoutInput({ input: _, ...bundle }: RunOutcome['bundle']): JsonObject {
  return bundle
}
