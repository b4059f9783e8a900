/** Packs a bag for a trip: looks up weather and appointments, and whether what it takes is in the wardrobe at all. */
import { traceTool } from 'stepfork'
import { calendarOf, findInWardrobe, forecast } from './services.ts'

const weather = traceTool('weather', forecast)
const calendar = traceTool('calendar', calendarOf)
const wardrobe = traceTool('wardrobe', findInWardrobe)

/** Answers "What do I pack for <city> on <day>?". */
export async function pack(task: string): Promise<readonly string[]> {
  const [, city = '', day = ''] = /for (\w+) on (\w+)/.exec(task) ?? []
  const { celsius, sky } = await weather({ city, day })
  const evenings = await calendar({ day, after: '18:00' })
  const clothes = celsius < 5 ? ['coat'] : ['jacket']
  if (evenings.length > 0) clothes.push('shirt')
  if (sky === 'snow') clothes.push(await bootsOr('shoes'))
  return clothes
}

async function bootsOr(other: string): Promise<string> {
  try {
    return (await wardrobe({ item: 'boots' })).name
  } catch {
    return other
  }
}
