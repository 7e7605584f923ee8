/**
 * How many bytes of mails under way are held in memory at once, over all doors. Who
 * finds no room is told to come again.
 *
 * @category models
 */
export interface Room {
  /** Whether there was room for so many more. */
  readonly take: (bytes: number) => boolean
  readonly give: (bytes: number) => void
}

/**
 * @category constructors
 */
export const make = (mostBytes: number): Room => {
  let held = 0
  return {
    take: (bytes) => {
      if (held + bytes > mostBytes) return false
      held += bytes
      return true
    },
    give: (bytes) => {
      held -= bytes
    }
  }
}
