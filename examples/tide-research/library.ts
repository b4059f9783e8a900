/** A little library in place of the web. Each page has its own delay, so answers do not come in the order of the calls. */
import { setTimeout as delay } from 'node:timers/promises'

interface Page {
  readonly words: readonly string[]
  readonly text: string
  readonly ms: number
}

const PAGES: { readonly [name: string]: Page } = {
  'tides/cause': {
    words: ['tide', 'cause', 'moon'],
    text: 'Tides come from the pull of the moon and, about half as strong, of the sun.',
    ms: 60,
  },
  'tides/spring': {
    words: ['spring', 'high'],
    text: 'At new moon and full moon the two pulls add up: the range between high and low water is largest.',
    ms: 20,
  },
  'tides/neap': {
    words: ['neap', 'low'],
    text: 'At half moon the pulls are at right angles and the range is smallest.',
    ms: 35,
  },
  'tides/lag': {
    words: ['spring', 'delay', 'neap'],
    text: 'Spring tides lag a day or two behind the moon, as the water needs time to follow.',
    ms: 10,
  },
}

export const library = {
  /** Names of the pages that hold any word of the query. */
  search: async ({ query }: { query: string }): Promise<readonly string[]> => {
    await delay(50 - query.length)
    const asked = query.toLowerCase().split(/\W+/)
    return Object.keys(PAGES).filter(name => PAGES[name]?.words.some(word => asked.includes(word)))
  },
  readPage: async ({ page }: { page: string }): Promise<string> => {
    const found = PAGES[page]
    if (found === undefined) throw new Error(`there is no page ${page}`)
    await delay(found.ms)
    return found.text
  },
}
