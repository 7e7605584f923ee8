import type { RelyingParty } from "@trailbook/core/staff/passkey/PasskeyVerifier"
import type { Site } from "../Site.ts"
import { siteRoot } from "../siteRoot.ts"

/**
 * Relying party for WebAuthn. Undefined if browsers do not support passkeys at the address: IP addresses and insecure
 * origins.
 */
export const toRelyingParty = (site: Site, request: Request): RelyingParty | undefined => {
  const root = siteRoot(site, request)
  if (root === undefined) return undefined
  const { hostname: host, origin, protocol } = new URL(root)
  const isNumber = /^[\d.]+$/.test(host) || host.startsWith("[")
  return isNumber || (protocol !== "https:" && host !== "localhost") ? undefined : { origin, host }
}
