/**
 * The catalogue: what every finding is called, for a reader who has not read the manual. A headline stands alone
 * in a CI log; the sentence follows the call's number in the report; the hint is what to do next. A new kind does
 * not compile until it is worded here. The texts hold names from the recording: printing makes them safe.
 */
import type { Divergence, Kind, RunOutcome } from '../outcome/outcome.ts'
import {
  act,
  freeOrder,
  type Hint,
  inspectRecording,
  keepExecuted,
  recordAgain,
  replayAgain,
  runOnce,
  validateRecording,
} from './hints.ts'
import {
  afterCall,
  afterLast,
  callsMatched,
  count,
  exitWord,
  expectedAfter,
  firstDifference,
  forbiddenBy,
  freeingOf,
  inputsAreSame,
  isCompleted,
  isExecuted,
  isModel,
  liveEnd,
  liveError,
  longerTimeout,
  notJson,
  openCall,
  orAllowNet,
  ordinal,
  outOfPlace,
  place,
  ranOrRefused,
  recordedEnd,
  recordedError,
  recordedLabel,
  recordedTimes,
  silence,
  times,
  whyNoResult,
  withThisInput,
} from './phrases.ts'
import { shellQuote } from './shell-command.ts'

export interface Wording {
  readonly headline: (found: Divergence, run: RunOutcome) => string
  readonly sentence: (found: Divergence, run: RunOutcome) => string
  readonly hint: (found: Divergence, run: RunOutcome) => Hint
}

export const WORDS: Record<Kind, Wording> = {
  'changed-input': {
    headline: (found, run) => `${place(found, run)}, ${found.label}: ${firstDifference(found, 'input')}`,
    sentence: (found, run) =>
      isModel(found, run)
        ? `${found.label} was sent another prompt`
        : `${found.label} was called with another input`,
    hint: (found, run) =>
      isModel(found, run)
        ? recordAgain(run, 'The model was never asked with this prompt. If the prompt is right')
        : recordAgain(run, 'If the new input is right'),
  },
  'changed-target': {
    headline: (found, run) =>
      `${place(found, run)}: ${found.label} was called, recorded ${recordedLabel(found)}`,
    sentence: found => `${found.label} was called where the recording has ${recordedLabel(found)}`,
    hint: (_, run) => recordAgain(run, 'If the new call is right'),
  },
  reordered: {
    headline: (found, run) => `${place(found, run)}, ${found.label}: made ${outOfPlace(found)}`,
    sentence: found => `${found.label} was made ${outOfPlace(found)}`,
    hint: (found, run) =>
      freeOrder(run, `${inputsAreSame(run)}If the order does not matter, ${freeingOf(found, run)}`),
  },
  'not-awaited': {
    headline: (found, run) =>
      `${place(found, run)}, ${found.label}: made before call ${openCall(found)} was answered`,
    sentence: found =>
      `${found.label} did not wait for the answer to call ${openCall(found)}, as the recorded run did`,
    hint: (found, run) =>
      freeOrder(
        run,
        `Is an await missing on call ${openCall(found)}? If not, and the order does not matter, ${freeingOf(found, run)}`,
      ),
  },
  extra: {
    headline: found =>
      `extra call ${afterCall(found)}: ${found.label} is not in the recording${withThisInput(found)}`,
    sentence: (found, run) => `${found.label} ${ranOrRefused(found, run)}`,
    hint: (found, run) => (isExecuted(found, run) ? keepExecuted(found, run) : runOnce(found, run)),
  },
  exhausted: {
    headline: found =>
      `extra call ${afterCall(found)}: ${found.label} is recorded ${times(recordedTimes(found))}, asked a ${ordinal(recordedTimes(found) + 1)} time`,
    sentence: (found, run) =>
      `${found.label} ${ranOrRefused(found, run)}: the recording holds this call ${times(recordedTimes(found))}`,
    hint: (found, run) =>
      isExecuted(found, run)
        ? keepExecuted(found, run)
        : recordAgain(run, 'If the agent should ask once more'),
  },
  missing: {
    headline: (found, run) => `${place(found, run)} is missing: ${found.label} was not called`,
    sentence: found => `${found.label} was expected ${expectedAfter(found)}; the agent ended without it`,
    hint: (_, run) => recordAgain(run, 'If the call is rightly gone'),
  },
  'no-result': {
    headline: (found, run) => `${place(found, run)}, ${found.label}: the recording has no answer to it`,
    sentence: found => `${found.label} was called as recorded, but ${whyNoResult(found)}`,
    hint: (found, run) =>
      found.facts.isLost === true
        ? recordAgain(run, 'Let it return plain data, or give it encode and decode. Then')
        : recordAgain(run, 'The recording is incomplete. If it should hold the whole run'),
  },
  refused: {
    headline: (found, run) => `${place(found, run)}, ${found.label}: refused, ${forbiddenBy(found, run)}`,
    sentence: (found, run) => `${found.label} was refused, not run: ${forbiddenBy(found, run)}`,
    hint: (found, run) =>
      found.facts.by === 'policy'
        ? inspectRecording(run, 'Look at the policy recorded with the call:')
        : run.mode === 'live'
          ? replayAgain(
              run,
              'If it may run for real, name it:',
              `--allow-live-tool ${shellQuote(found.label)}`,
            )
          : replayAgain({ ...run, mode: 'frozen' }, 'Replay in a mode that answers it from the recording:'),
  },
  'altered-recording': {
    headline: (found, run) =>
      `${place(found, run)}, ${found.label}: the recording was altered after it was made`,
    sentence: (found, run) =>
      `${found.label} ${ranOrRefused(found, run)}: the data recorded with it was changed after the recording`,
    hint: (_, run) =>
      validateRecording(run, 'Bring back the recording as it was made. See what was altered:'),
  },
  'derived-differs': {
    headline: (found, run) =>
      `${place(found, run)}, ${found.label}: derived answer, ${firstDifference(found, 'answer')}`,
    sentence: found => `${found.label} gave another answer than the recorded one`,
    hint: (_, run) => recordAgain(run, 'If the new answer is right'),
  },
  blocked: {
    headline: found => `blocked: ${found.facts.what ?? found.label}, which no recorded call explains`,
    sentence: found => `${found.facts.what ?? found.label} was refused: no recorded call explains it`,
    hint: found =>
      act(
        `Make it through traceTool or llmRequest, so that it is recorded, or leave it out of the run${orAllowNet(found)}.`,
      ),
  },
  'output-differs': {
    headline: (found, run) => {
      const first = firstDifference(found, 'output')
      return `output differs${callsMatched(run)}${first === 'the output differs' ? '' : `: ${first}`}`
    },
    sentence: ({ facts }) =>
      `the agent returned another output${facts.isExpected === true ? ' than the expected one' : ''}`,
    hint: ({ facts }, run) =>
      facts.isExpected === true
        ? act('If the new output is right, write it into the file named with --expect-output.')
        : recordAgain(run, 'If the new output is right'),
  },
  'output-not-json': {
    headline: found => `the output cannot be compared: ${notJson(found)}`,
    sentence: found => `the agent returned what cannot be compared: ${notJson(found)}`,
    hint: () => act('Return plain JSON from the agent: text, numbers, lists and objects.'),
  },
  'failure-differs': {
    headline: found => `the recorded run fails with ${recordedError(found)}, this one ${liveEnd(found)}`,
    sentence: () => 'the run ended in another way than the recorded one',
    hint: (found, run) =>
      isCompleted(found)
        ? recordAgain(run, 'If the failure is mended')
        : recordAgain(run, 'If the agent should fail in this way'),
  },
  'not-fixed': {
    headline: found => `not fixed: the agent still fails with ${recordedError(found)}`,
    sentence: () => 'the recorded failure happened again, and --expect fixed asks that it does not',
    hint: (_, run) => replayAgain(run, 'Mend the fault, then replay again:', '--expect fixed'),
  },
  'expectation-failed': {
    headline: found => `the calls are not as expected: ${found.facts.what ?? ''}`,
    sentence: found => `expected otherwise: ${found.facts.what ?? ''}`,
    hint: () => act('Change the agent, or the trajectory file named with --expect.'),
  },
  'agent-error': {
    headline: found => `the agent threw ${liveError(found)}`,
    sentence: (found, run) => `the agent threw ${liveError(found)}; ${recordedEnd(run)}`,
    hint: (_, run) => replayAgain(run, 'Mend the error, then replay again:'),
  },
  'agent-timeout': {
    headline: found => `the agent was silent for ${silence(found)}${afterLast(found)}`,
    sentence: found => `no call and no answer for ${silence(found)}${afterLast(found)}: the run was ended`,
    hint: (found, run) =>
      replayAgain(
        run,
        'See what the agent waits for. If it only needs longer, raise --timeout:',
        longerTimeout(found),
      ),
  },
  'agent-stalled': {
    headline: found => `the agent waits for something that can never happen${afterLast(found)}`,
    sentence: found => `nothing is left to happen, and the agent has not ended${afterLast(found)}`,
    hint: () => act('Look for a promise that nobody settles: a callback not called, a lock not given back.'),
  },
  'agent-exit': {
    headline: found => `the agent's process ended ${exitWord(found)} before the run was over`,
    sentence: (found, run) =>
      run.exitCode === 130
        ? 'the process was ended, as you asked, before the agent had returned'
        : `the process ended ${exitWord(found)} before the agent had returned`,
    hint: (found, run) =>
      run.exitCode === 130
        ? replayAgain(run, 'To see the rest, let it run to its end:')
        : found.facts.signal === 'SIGABRT'
          ? act('Node ends by SIGABRT when its heap is full: keep less in memory, or raise --memory.')
          : act(
              'Let the agent return or throw: the run of one that ends its own process cannot be compared.',
            ),
  },
  'too-many-calls': {
    headline: (found, run) =>
      `the agent made more than ${count(found.facts.limit ?? 0, 'call')}; ${run.totals.recorded} are recorded`,
    sentence: found =>
      `the run was ended at ${count(found.facts.limit ?? 0, 'call')}: the agent seems to go round in a circle`,
    hint: (_, run) => inspectRecording(run, 'Find what ends the loop. The recorded run ended like this:'),
  },
}
