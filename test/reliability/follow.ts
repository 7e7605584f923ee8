/**
 * Reads the feed from its start, the way an API client does: page by page with the returned cursor, from any server
 * that responds.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Line } from "./ask.ts"
import type { Dice } from "./dice.ts"

export interface Event {
  readonly id: number
  readonly type: string
  readonly data: unknown
}

export interface Follower {
  /** The events in the order they were served. */
  readonly seen: ReadonlyArray<Event>
  /** Reads until this event is served, for at most 30 seconds. */
  readonly until: (id: number) => Promise<void>
}

const catchesUpWithinMillis = 30_000

export const follow = ({ ask }: Line, dice: Dice): Follower => {
  const events: Array<Event> = []
  let isOver = (): boolean => false
  const following = (async () => {
    for (let after = 0; !isOver();) {
      const path = `/events?after=${after}&limit=${dice.between(1, 120)}`
      const { body, status } = await ask({ method: "GET", path })
      if (status !== 200) continue
      events.push(...body.data)
      if (body.next_after === after) await sleep(dice.between(20, 120))
      after = body.next_after
    }
  })()
  return {
    seen: events,
    until: async (id) => {
      const latest = Date.now() + catchesUpWithinMillis
      isOver = () => (events.at(-1)?.id ?? 0) >= id || Date.now() > latest
      await following
    }
  }
}
