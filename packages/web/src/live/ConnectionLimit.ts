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
  limits: { readonly login: number; readonly org: number; readonly all: number }
): ConnectionLimit => {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  return {
    enter: ({ loginId, orgId }) => {
      const places = [["all", limits.all], [`org ${orgId}`, limits.org], [`login ${loginId}`, limits.login]] as const
      if (places.some(([key, many]) => countOf(key) >= many)) return undefined
      for (const [key] of places) counts.set(key, countOf(key) + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        for (const [key] of places) {
          if (countOf(key) > 1) counts.set(key, countOf(key) - 1)
          else counts.delete(key)
        }
      }
    }
  }
}
