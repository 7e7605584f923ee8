import type { RelyingParty } from "@trailbook/core/staff/PasskeyVerifier"
import type { Site } from "../Site.ts"
import { siteRoot } from "../siteRoot.ts"

/**
 * Where passkeys are used; undefined where browsers know none: at an address that is a
 * number, or that is not safe.
 */
export const toRelyingParty = (site: Site, request: Request): RelyingParty | undefined => {
  const root = siteRoot(site, request)
  if (root === undefined) return undefined
  const { hostname: host, origin, protocol } = new URL(root)
  const isNumber = /^[\d.]+$/.test(host) || host.startsWith("[")
  return isNumber || (protocol !== "https:" && host !== "localhost") ? undefined : { origin, host }
}
