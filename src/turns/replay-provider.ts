import { type ChatClient, chatClient } from './chat-client.ts'
import { languageModel, type ReplayLanguageModel } from './language-model.ts'
import { completeStep } from './read-record.ts'
import { createRecordedTurns, type RecordedTurns, type ReplayProviderOptions } from './recorded-turns.ts'
import type { TurnRequest } from './request-hash.ts'
import type { InferenceRecord, StepRecord } from './step-record.ts'
import type { StepRecordStore } from './step-store.ts'
import type { Turn } from './turn.ts'
import type { TurnMismatch } from './turn-errors.ts'

/** Answers a model's calls with the recorded turns of one run, one after the other, without asking any model. */
export class ReplayProvider {
  /** Takes the steps in the order of the list: what their keys say is not compared. Raises STEP_RECORD_INVALID. */
  static fromSteps(
    runId: string,
    steps: readonly StepRecord[],
    options: ReplayProviderOptions = {},
  ): ReplayProvider {
    const copies = steps.map((step, position) => completeStep(step, [position]))
    return new ReplayProvider(runId, copies, options)
  }

  /** The steps of one run in a store; of a run that is not there, none. Later saves do not show. */
  static async load(
    store: StepRecordStore,
    run: { readonly workflowId: string; readonly runId: string },
    options: ReplayProviderOptions = {},
  ): Promise<ReplayProvider> {
    return new ReplayProvider(run.runId, await store.listRecords(run.workflowId, run.runId), options)
  }

  readonly #first: InferenceRecord | null
  readonly #turns: RecordedTurns
  readonly #wrapped = new Set<string>()

  private constructor(runId: string, steps: readonly StepRecord[], options: ReplayProviderOptions) {
    this.#first = steps.find(step => step.inference !== null)?.inference ?? null
    this.#turns = createRecordedTurns(runId, steps, options)
  }

  /** That of the first recorded inference; a name that the crates do not know, or none, counts as `open_ai`. */
  get provider(): 'open_ai' | 'anthropic' {
    return this.#first?.provider === 'anthropic' ? 'anthropic' : 'open_ai'
  }

  /** Turns that are still to be served, with the steps that only ran tools unless they are skipped. */
  get remaining(): number {
    return this.#turns.remaining()
  }

  /** Requests that were not as recorded and that `onMismatch: 'warn'` let pass. */
  get mismatches(): readonly TurnMismatch[] {
    return this.#turns.mismatches
  }

  /**
   * Serves the next turn; calls made at the same time get one each, in their order. The request is compared with the
   * recorded hashes, as far as there are any. Rejects with TurnReplayError and stays where it is: when no turn is left, when
   * the next one cannot be served, when something else was asked.
   */
  async run(request?: TurnRequest): Promise<Turn> {
    return this.#turns.serve(request).turn
  }

  /**
   * Wraps a tool of one argument (what a framework passes behind it is not looked at). A call that was recorded as having
   * side effects is answered from the record, any other recorded call runs the tool; one that was not recorded rejects with
   * TurnReplayError and runs nothing. A recorded call can be asked once the turn before it was served.
   */
  tool<A extends readonly unknown[], R>(
    name: string,
    execute: (...args: A) => R | PromiseLike<R>,
  ): (...args: A) => Promise<R> {
    this.#wrapped.add(name)
    return async (...args) => {
      const taken = this.#turns.takeTool(name, args[0])
      return taken === 'run' ? await execute(...args) : (taken.returned as R)
    }
  }

  /**
   * For the end of a test. Throws the first TurnReplayError that the agent got, also one that it or its SDK swallowed; else
   * one of kind `not-asked` for a turn that was not served, or for a recorded call with side effects of a tool that was
   * wrapped and did not make it.
   */
  verifyComplete(): void {
    const fault = this.#turns.firstFault(this.#wrapped)
    if (fault !== null) throw fault
  }

  /** The turns as a model of the `ai` package (LanguageModelV3). */
  languageModel(): ReplayLanguageModel {
    return languageModel(this.#turns, this.#first)
  }

  /** The turns as the client of an OpenAI-style API, so far as `chat.completions.create` goes. */
  chatClient(): ChatClient {
    return chatClient(this.#turns)
  }
}
