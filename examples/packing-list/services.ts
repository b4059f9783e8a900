/** What the agent would ask in earnest; a cassette answers in its place, so that none of it is ever called. */

export interface Forecast {
  readonly celsius: number
  readonly sky: string
}

export async function forecast(_: { readonly city: string; readonly day: string }): Promise<Forecast> {
  throw new Error('the weather service is not part of this example')
}

export interface Appointment {
  readonly at: string
  readonly what: string
}

export async function calendarOf(_: {
  readonly day: string
  readonly after: string
}): Promise<readonly Appointment[]> {
  throw new Error('the calendar is not part of this example')
}

export async function findInWardrobe(_: { readonly item: string }): Promise<{ readonly name: string }> {
  throw new Error('the wardrobe is not part of this example')
}
