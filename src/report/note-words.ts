/** The catalogue of notes: things worth a line that are no finding. `detail` is the note's one argument. */
import type { NoteCode } from '../trace/journal.ts'

export const NOTE_WORDS: Record<NoteCode, (detail: string) => string> = {
  'refusal-unhandled': detail => `the agent did not handle a refused call${of(detail)}`,
  'call-after-end': detail => `calls made after the agent had returned were not answered${of(detail)}`,
  'process-kept-alive': detail => `the agent returned but kept its process alive${of(detail)}`,
  'recorded-call-unanswered': detail => `a call was never answered, in the recording as now${of(detail)}`,
  'message-differs': detail => `the error has its recorded name, but another message${of(detail)}`,
  'output-not-recorded': detail =>
    `output not compared: the recording holds none, or null, which cannot be told apart${of(detail)}`,
  'output-lost': detail => `output not compared: the recorded one had no JSON form${of(detail)}`,
  'result-more-than-json': detail =>
    `a result is more than its data, and comes back as its data alone${of(detail)}`,
  'input-not-json': detail => `a call was refused, as its input has no JSON form${of(detail)}`,
  'result-not-json': detail =>
    `a result could not be kept as JSON, so this call cannot be replayed${of(detail)}`,
  'not-reached': detail =>
    `the run was stopped at its first divergence; recorded calls not reached${of(detail)}`,
  'stopped-by-hand': detail => `the run was stopped by hand; recorded calls not reached${of(detail)}`,
  'edited-other-input': detail =>
    `a call was answered by hand, with another input than the recorded one${of(detail)}`,
  'executed-other-input': detail =>
    `a call ran for real with another input than the recorded one${of(detail)}`,
  unwatched: detail =>
    `the agent started what is not watched: calls and connections in it are not seen${of(detail)}`,
  'recording-altered': detail =>
    `the recording is not as it was written, which integrity.json shows; see validate --verify-integrity${of(detail)}`,
  'connection-unseen': detail => `a connection is no part of a call${of(detail)}`,
  'file-written': detail => `a file was written outside of calls${of(detail)}`,
  'command-differs': detail => `another command was recorded${of(detail)}`,
  'live-unused': detail => `asked to run for real, but neither recorded nor called${of(detail)}`,
  saved: detail => `the run that results was written${of(detail)}`,
  'not-saved': detail => `the run that results was not kept${of(detail)}`,
  fixed: detail => `fixed: the recorded failure did not come back${of(detail)}`,
  'telemetry-answered': detail => `telemetry was answered at once and not sent${of(detail)}`,
}

function of(detail: string): string {
  return detail === '' ? '' : `: ${detail}`
}
