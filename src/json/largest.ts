/** The largest of the numbers, at least `least`. As arguments of Math.max a hundred thousand overflow the stack. */
export function largest(least: number, numbers: Iterable<number>): number {
  let found = least
  for (const number of numbers) if (number > found) found = number
  return found
}
