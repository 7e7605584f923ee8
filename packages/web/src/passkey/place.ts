import type { Place } from "@trailbook/core/staff/PasskeyReader"
import { rootOf } from "../rootOf.ts"
import type { Site } from "../Site.ts"

/**
 * Where passkeys are used; undefined where browsers know none: at an address that is a
 * number, or that is not safe.
 *
 * @category getters
 */
export const placeOf = (site: Site, request: Request): Place | undefined => {
  const root = rootOf(site, request)
  if (root === undefined) return undefined
  const { hostname: host, origin, protocol } = new URL(root)
  const isNumber = /^[\d.]+$/.test(host) || host.startsWith("[")
  return isNumber || (protocol !== "https:" && host !== "localhost") ? undefined : { origin, host }
}
