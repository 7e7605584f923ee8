/**
 * Bytes of answers that callers have not read yet, over all connections of this process. Each caller holds little, but
 * hundreds that send requests and never read would fill the memory.
 */

export interface Holder {
  /** Holders with the same source share what gives way: a network, an org, or the holder alone. */
  readonly source: unknown
  /** Unread bytes now. */
  readonly bytes: () => number
  /** Drops the unread bytes and breaks off the answer. */
  readonly giveWay: () => void
}

export interface Unsent {
  /** Returns a function that removes the holder. */
  readonly add: (holder: Holder) => () => void
  /** Records that bytes were added. Over the limit, the largest holder of the source with the most bytes gives way. */
  readonly grew: (bytes: number) => void
}

export const make = (maxBytes: number): Unsent => {
  const holders = new Set<Holder>()
  /** At least the bytes that are held. It is exact after a count, which therefore runs once for each `maxBytes` written. */
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

/** That of this process, which all its servers and handlers share. */
export const unsent: Unsent = make(64 * 1024 * 1024)
