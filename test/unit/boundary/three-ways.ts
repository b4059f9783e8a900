import { expect } from 'vitest'
import { type Kept, recording, replaying } from './http-hosts.ts'
import type { Asked, OddServer } from './odd-server.ts'

export interface ThreeWays {
  /** What was seen, in all three ways alike. */
  readonly seen: unknown
  readonly kept: readonly Kept[]
  /** What the server was asked, without a run and in a recording. */
  readonly asked: { readonly plain: readonly Asked[]; readonly recorded: readonly Asked[] }
}

/** Does the same as itself, in a recording and in a replay; the agent must see no difference, the server none but the last. */
export async function threeWays(
  server: OddServer,
  watch: () => () => void,
  agent: () => Promise<unknown>,
): Promise<ThreeWays> {
  await server.log()
  const seen = await observe(agent)
  const plain = await server.log()
  const kept: Kept[] = []
  const undo = watch()
  try {
    expect(await observe(() => recording(kept, agent))).toEqual(seen)
    const recorded = await server.log()
    expect(recorded.map(({ path, method }) => ({ path, method }))).toEqual(
      plain.map(({ path, method }) => ({ path, method })),
    )
    expect(await observe(() => replaying(kept, agent))).toEqual(seen)
    expect(await server.log()).toEqual([])
    return { seen, kept, asked: { plain, recorded } }
  } finally {
    undo()
  }
}

async function observe(agent: () => Promise<unknown>): Promise<unknown> {
  try {
    return { value: await agent() }
  } catch (error) {
    return { error: described(error) }
  }
}

function described(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  const { code } = error as { code?: unknown }
  return { name, message, code, ...(cause !== undefined && { cause: described(cause) }) }
}
