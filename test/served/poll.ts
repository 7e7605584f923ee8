import type { Client } from "./Client.ts"

export interface Poller {
  /** Reads until an event with this ID is served, and returns all event IDs in arrival order. */
  readonly until: (id: number) => Promise<ReadonlyArray<number>>
}

/** Reads the feed continuously, in pages of varying size. */
export const poll = (api: Client): Poller => {
  const seenIds: Array<number> = []
  let stopAt = Infinity
  const follow = async (): Promise<void> => {
    let after = 0
    for (let page = 0; (seenIds.at(-1) ?? 0) < stopAt; page++) {
      const { body } = await api.get(`/events?after=${after}&limit=${1 + (page * 7) % 60}`)
      seenIds.push(...body.data.map((event: { id: number }) => event.id))
      after = Number(body.next_after)
    }
  }
  const following = follow()
  return {
    until: async (id) => {
      stopAt = id
      await following
      return seenIds
    }
  }
}
