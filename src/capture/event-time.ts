/** `2026-12-01T02:43:51.126432Z`: the wall clock at which the run began plus milliseconds since then, six digits. */
export function eventTime(beganAt: string, at: number): string {
  const microseconds = Math.round(at * 1000)
  const milliseconds = Math.floor(microseconds / 1000)
  const rest = String(microseconds - milliseconds * 1000).padStart(3, '0')
  return new Date(Date.parse(beganAt) + milliseconds).toISOString().replace('Z', `${rest}Z`)
}
