/**
 * Tracks unread response bytes on all of the process's connections. The limit per response is not enough, because
 * hundreds of callers that never read their responses could still exhaust the memory.
 */

export interface UnsentResponse {
  /**
   * The network, org, or individual holder that the bytes belong to. Holders with the same source are counted together
   * when memory is reclaimed.
   */
  readonly source: unknown
  /** Returns the current number of unread bytes. */
  readonly bytes: () => number
  /** Drops the unread bytes and aborts the response. */
  readonly abort: () => void
}

export interface UnsentByteTracker {
  /** Adds a holder and returns a function that removes it. */
  readonly add: (holder: UnsentResponse) => () => void
  /** Records added bytes. If the limit is exceeded, the source with the most bytes loses its largest holder. */
  readonly recordGrowth: (bytes: number) => void
}

export const make = (maxBytes: number): UnsentByteTracker => {
  const holders = new Set<UnsentResponse>()
  /** An upper bound on the unread bytes. A recount, which runs at most once per `maxBytes` written, makes it exact. */
  let atMost = 0

  const count = (): number => {
    const bySource = new Map<unknown, Array<HeldReply>>()
    let total = 0
    for (const holder of holders) {
      const bytes = holder.bytes()
      if (bytes === 0) continue
      total += bytes
      const replies = bySource.get(holder.source) ?? []
      replies.push({ holder, bytes })
      bySource.set(holder.source, replies)
    }
    if (total <= maxBytes) return total
    for (const replies of bySource.values()) replies.sort((a, b) => a.bytes - b.bytes)
    while (total > maxBytes) {
      const [largest] = [...bySource.values()].sort((a, b) => sum(b) - sum(a))
      const victim = largest?.pop()
      if (victim === undefined) break
      holders.delete(victim.holder)
      victim.holder.abort()
      total -= victim.bytes
    }
    return total
  }

  return {
    add: (holder) => {
      holders.add(holder)
      return () => void holders.delete(holder)
    },
    recordGrowth: (bytes) => {
      atMost += bytes
      if (atMost > maxBytes) atMost = count()
    }
  }
}

interface HeldReply {
  readonly holder: UnsentResponse
  readonly bytes: number
}

const sum = (replies: ReadonlyArray<HeldReply>): number => replies.reduce((total, { bytes }) => total + bytes, 0)

/** The tracker shared by all servers and handlers in this process. */
export const sharedUnsentByteTracker: UnsentByteTracker = make(64 * 1024 * 1024)
