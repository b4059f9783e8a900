/** A research agent: a model plans searches, they run side by side, the pages found are read two at a time, it writes. */
import { llmRequest, traceTools } from 'stepfork'
import { library } from './library.ts'
import { complete, type Message } from './scripted-model.ts'

const MODEL = 'gpt-4o-mini'
const READERS = 2

const tools = traceTools({ search: library.search, read_page: library.readPage })

export interface Report {
  readonly answer: string
  readonly sources: readonly string[]
}

export async function research(question: string): Promise<Report> {
  const queries = (await ask('Name three searches, one a line.', question)).split('\n')
  const found = await Promise.all(queries.map(query => tools.search({ query })))
  const pages = [...new Set(found.flat())]
  const texts = await eachWith(READERS, pages, page => tools.read_page({ page }))
  const answer = await ask('Answer from these notes only.', [question, ...texts].join('\n\n'))
  return { answer, sources: pages }
}

async function ask(instructions: string, content: string): Promise<string> {
  const messages: readonly Message[] = [
    { role: 'system', content: instructions },
    { role: 'user', content },
  ]
  const completion = await llmRequest({ provider: 'openai', model: MODEL, input: { messages } }, () =>
    complete({ model: MODEL, messages }),
  )
  return completion.choices[0].message.content
}

/** Runs `work` on every item, `workers` at a time: whoever is free takes the next. Results keep the items' order. */
async function eachWith<T, R>(
  workers: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const queue = items.entries()
  const run = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: workers }, run))
  return results
}
