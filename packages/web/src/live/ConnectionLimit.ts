/**
 * How many may listen at once: of one login, of one outfitter, and of all together. Each holds a connection, and guests
 * need some too.
 */

export interface ConnectionLimit {
  /** Takes a place, and answers with how it is left, which may be done again and again; undefined where there is none. */
  readonly enter: (who: { readonly loginId: string; readonly orgId: string }) => (() => void) | undefined
}

export const make = (
  most: { readonly login: number; readonly org: number; readonly all: number }
): ConnectionLimit => {
  const taken = new Map<string, number>()
  const takenBy = (key: string) => taken.get(key) ?? 0
  return {
    enter: ({ loginId, orgId }) => {
      const places = [["all", most.all], [`org ${orgId}`, most.org], [`login ${loginId}`, most.login]] as const
      if (places.some(([key, many]) => takenBy(key) >= many)) return undefined
      for (const [key] of places) taken.set(key, takenBy(key) + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        for (const [key] of places) {
          if (takenBy(key) > 1) taken.set(key, takenBy(key) - 1)
          else taken.delete(key)
        }
      }
    }
  }
}
