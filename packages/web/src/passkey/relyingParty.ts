import type { RelyingParty } from "@trailbook/core/staff"
import { getSiteRoot } from "../getSiteRoot.ts"
import type { Site } from "../Site.ts"

/**
 * Returns the relying party for WebAuthn, or undefined if browsers do not support passkeys at this address, such as an
 * IP address or an insecure origin.
 */
export const toRelyingParty = (site: Site, request: Request): RelyingParty | undefined => {
  const root = getSiteRoot(site, request)
  if (root === undefined) return undefined
  const { hostname: host, origin, protocol } = new URL(root)
  const isNumber = /^[\d.]+$/.test(host) || host.startsWith("[")
  return isNumber || (protocol !== "https:" && host !== "localhost") ? undefined : { origin, host }
}
