/**
 * Tracks unread response bytes over all connections of the process. Each connection holds little, but hundreds of
 * callers that send requests and never read could exhaust the memory.
 */

export interface Holder {
  /**
   * Holders with the same source are counted together when memory is reclaimed: a network, an org, or a single holder.
   */
  readonly source: unknown
  /** The current number of unread bytes. */
  readonly bytes: () => number
  /** Drops the unread bytes and aborts the response. */
  readonly giveWay: () => void
}

export interface Unsent {
  /** Returns a function that removes the holder. */
  readonly add: (holder: Holder) => () => void
  /**
   * Records that bytes were added. Above the limit, the largest holder of the source with the most bytes is dropped.
   */
  readonly grew: (bytes: number) => void
}

export const make = (maxBytes: number): Unsent => {
  const holders = new Set<Holder>()
  /** An upper bound of the held bytes. A count makes it exact, so a count runs once per `maxBytes` written. */
  let atMost = 0

  const count = (): number => {
    const bySource = new Map<unknown, Array<Held>>()
    let total = 0
    for (const holder of holders) {
      const bytes = holder.bytes()
      if (bytes === 0) continue
      total += bytes
      const held = bySource.get(holder.source) ?? []
      held.push({ holder, bytes })
      bySource.set(holder.source, held)
    }
    if (total <= maxBytes) return total
    for (const held of bySource.values()) held.sort((a, b) => a.bytes - b.bytes)
    while (total > maxBytes) {
      const [largest] = [...bySource.values()].sort((a, b) => sum(b) - sum(a))
      const victim = largest?.pop()
      if (victim === undefined) break
      holders.delete(victim.holder)
      victim.holder.giveWay()
      total -= victim.bytes
    }
    return total
  }

  return {
    add: (holder) => {
      holders.add(holder)
      return () => void holders.delete(holder)
    },
    grew: (bytes) => {
      atMost += bytes
      if (atMost > maxBytes) atMost = count()
    }
  }
}

interface Held {
  readonly holder: Holder
  readonly bytes: number
}

const sum = (held: ReadonlyArray<Held>): number => held.reduce((total, { bytes }) => total + bytes, 0)

/** The tracker of this process, shared by all servers and handlers. */
export const unsent: Unsent = make(64 * 1024 * 1024)
