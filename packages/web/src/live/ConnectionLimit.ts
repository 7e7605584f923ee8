/**
 * Limits concurrent event streams per sign-in session, per org, and in total. Each stream occupies a connection, and
 * guests need connections, too.
 */

export interface ConnectionLimit {
  /**
   * Reserves a connection and returns a function that releases it, or undefined if a limit is reached. Calling the
   * returned function again has no effect.
   */
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
