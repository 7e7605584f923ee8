/**
 * Tracks the unread response bytes of all connections of the process. Each connection holds little, but hundreds of
 * callers that send requests and never read the responses could exhaust the memory.
 */

export interface Holder {
  /**
   * The network, org, or single holder that the bytes belong to. Holders with the same source are counted together when
   * memory is reclaimed.
   */
  readonly source: unknown
  /** The current number of unread bytes. */
  readonly bytes: () => number
  /** Drops the unread bytes and aborts the response. */
  readonly giveWay: () => void
}

export interface Unsent {
  /** Adds a holder. Returns a function that removes the holder. */
  readonly add: (holder: Holder) => () => void
  /**
   * Records that bytes were added. If the limit is exceeded, the source with the most bytes loses its largest holder.
   */
  readonly grew: (bytes: number) => void
}

export const make = (maxBytes: number): Unsent => {
  const holders = new Set<Holder>()
  /** An upper bound of the unread bytes. Counting makes it exact, so a count runs only once per `maxBytes` written. */
  let atMost = 0

  const count = (): number => {
    const bySource = new Map<unknown, Array<HeldReply>>()
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

interface HeldReply {
  readonly holder: Holder
  readonly bytes: number
}

const sum = (held: ReadonlyArray<HeldReply>): number => held.reduce((total, { bytes }) => total + bytes, 0)

/** The tracker that all servers and handlers of this process share. */
export const unsent: Unsent = make(64 * 1024 * 1024)
