/**
 * The memory budget for emails being received. All listeners share it. If the budget is exhausted, clients receive a
 * temporary error.
 */
export interface MemoryBudget {
  /** Reserves bytes, or returns false if the budget or the sender's share is exhausted. */
  readonly take: (bytes: number, sender?: string) => boolean
  readonly give: (bytes: number, sender?: string) => void
}

export const make = (mostBytes: number, maxBytesPerSender = mostBytes): MemoryBudget => {
  let heldBytes = 0
  const heldBySender = new Map<string, number>()
  const add = (sender: string, bytes: number): void => {
    const sum = (heldBySender.get(sender) ?? 0) + bytes
    if (sum > 0) heldBySender.set(sender, sum)
    else heldBySender.delete(sender)
  }
  return {
    take: (bytes, sender) => {
      if (heldBytes + bytes > mostBytes) return false
      if (sender !== undefined) {
        if ((heldBySender.get(sender) ?? 0) + bytes > maxBytesPerSender) return false
        add(sender, bytes)
      }
      heldBytes += bytes
      return true
    },
    give: (bytes, sender) => {
      heldBytes -= bytes
      if (sender !== undefined) add(sender, -bytes)
    }
  }
}
