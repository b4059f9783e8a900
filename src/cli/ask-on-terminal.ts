/** Mode manual on the terminal: shows each question and reads what to do, a line at a time. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'
import type { Paper } from '../report/page.ts'
import { choicesText, questionText } from '../report/question-lines.ts'
import { canTake, type Question, type Reply } from '../trace/question.ts'

export interface Terminal {
  readonly input: Readable
  readonly output: Writable
  readonly paper: Paper
  /** Lines can be edited as they are typed, at any length; false where the input is no terminal (tests). */
  readonly isTerminal: boolean
  /** Ctrl-C, which in such a line is only a character. */
  readonly onInterrupt: () => void
}

export interface TerminalAsker {
  answer(question: Question): Promise<Reply>
  /** Gives the terminal back. */
  close(): void
}

export function askOnTerminal(terminal: Terminal): TerminalAsker {
  const lines = readLines(terminal)
  return {
    answer: async question => {
      terminal.output.write(questionText(question, terminal.paper))
      for (;;) {
        const line = await lines.next(`  ${choicesText(question)} > `)
        const reply = line === null ? STOP : await replyTo(line, question)
        if (reply !== null) return reply
      }
    },
    close: lines.close,
  }

  /** Null: it was no answer, so the question stands. */
  async function replyTo(line: string, question: Question): Promise<Reply | null> {
    switch (line.trim().toLowerCase()) {
      case 't':
      case 'take':
        if (canTake(question)) return { kind: 'take' }
        return say('there is no recorded answer to take')
      case 'r':
      case 'run':
        return { kind: 'run' }
      case 'e':
      case 'edit':
        return edited()
      case 's':
      case 'stop':
        return STOP
      default:
        return say('type one of these letters and Enter')
    }
  }

  async function edited(): Promise<Reply | null> {
    for (;;) {
      const line = await lines.next('  as JSON (empty: back) > ')
      if (line === null) return STOP
      if (line.trim() === '') return null
      const value = jsonOf(line)
      if (value !== undefined) return { kind: 'edit', value }
      say('that is not JSON; a text needs its quotes: "like this"')
    }
  }

  function say(sentence: string): null {
    terminal.output.write(`  ${sentence}\n`)
    return null
  }
}

const STOP: Reply = { kind: 'stop' }

function jsonOf(line: string): Json | undefined {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}

interface Lines {
  /** The next line that is typed, or was typed before it was asked for; null at the end of the input. */
  next(prompt: string): Promise<string | null>
  close(): void
}

function readLines({ input, output, isTerminal, onInterrupt }: Terminal): Lines {
  const reader = createInterface({ input, output, terminal: isTerminal, historySize: 0 })
  const typed: string[] = []
  let wanted: ((line: string | null) => void) | null = null
  let isClosed = false
  const give = (line: string | null): void => {
    const take = wanted
    wanted = null
    if (take !== null) take(line)
    else if (line !== null) typed.push(line)
  }
  reader.on('line', give)
  reader.on('SIGINT', () => {
    output.write('\n')
    onInterrupt()
  })
  reader.on('close', () => {
    isClosed = true
    // The cursor stands behind a question.
    if (wanted !== null) output.write('\n')
    give(null)
  })
  return {
    next: prompt =>
      new Promise(resolve => {
        wanted = resolve
        if (isClosed) give(typed.shift() ?? null)
        else {
          reader.setPrompt(prompt)
          reader.prompt()
          if (typed.length > 0) give(typed.shift()!)
        }
      }),
    close: () => reader.close(),
  }
}
