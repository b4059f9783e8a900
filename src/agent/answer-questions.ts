/** Mode manual, the supervisor's side: each line that the agent's process asks goes to who answers it, and the reply back. */
import type { Duplex } from 'node:stream'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Question, Reply } from '../trace/question.ts'

export type Answerer = (question: Question) => Promise<Reply>

/** The returned function tells whether a question is open. */
export function answerQuestions(channel: Duplex, answer: Answerer): () => boolean {
  let isOpen = false
  let text = ''
  channel.setEncoding('utf8')
  // The process may be gone when the reply comes; its end says so.
  channel.on('error', () => {})
  channel.on('data', (chunk: string) => {
    text += chunk
    if (!text.endsWith('\n')) return
    // The process waits for the reply, so there is never more than one line.
    const question = parseJson(text) as unknown as Question
    text = ''
    isOpen = true
    void answer(question).then(reply => {
      isOpen = false
      channel.write(`${writeJson(reply as unknown as Json)}\n`)
    })
  })
  return () => isOpen
}
