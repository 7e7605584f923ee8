import { type AllowedNetworks, isAllowed, isPublic } from "./addresses.ts"
import type { Destination } from "./Destination.ts"

/** Whether a delivery to the destination may connect to the address. */
export type Check = (address: string, destination: Destination) => boolean

/**
 * Checks an address three times. Each check is necessary:
 * - Node does not look up an IP address in a URL.
 * - A name can resolve to other addresses than at the last lookup.
 * - A network can route a connection to another address.
 */
export interface Guard {
  /** Checks the IP address in the URL. */
  readonly written: Check
  /** Checks every address of a name. One blocked address blocks the name. */
  readonly resolved: Check
  /** Checks the remote address of a connection, before the first byte is sent. */
  readonly connected: Check
}

export const ssrfGuard = (allowed: AllowedNetworks): Guard => {
  const check: Check = (address, { inward }) => isAllowed(allowed, address) || (!inward && isPublic(address))
  return { written: check, resolved: check, connected: check }
}
