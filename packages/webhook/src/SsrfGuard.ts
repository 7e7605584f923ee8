import { type AllowedNetworks, isAllowed, isPublic } from "./addresses.ts"
import type { Destination } from "./Destination.ts"

/** Whether a delivery to this destination may connect to this address. */
export type Check = (address: string, destination: Destination) => boolean

/**
 * The three checks of an address. None of them replaces another: Node does not look up an IP address in a URL, a name
 * can resolve to other addresses than before, and a network can route a connection elsewhere.
 */
export interface Guard {
  /** The IP address in the URL. */
  readonly written: Check
  /** Every address that a name resolves to. One blocked address blocks the name. */
  readonly resolved: Check
  /** The remote address of a connection, before a byte is sent. */
  readonly connected: Check
}

export const ssrfGuard = (allowed: AllowedNetworks): Guard => {
  const check: Check = (address, { inward }) => isAllowed(allowed, address) || (!inward && isPublic(address))
  return { written: check, resolved: check, connected: check }
}
