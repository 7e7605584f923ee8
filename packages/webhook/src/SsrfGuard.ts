import { type AllowedNetworks, isAllowed, isPublic } from "./addresses.ts"
import type { Destination } from "./Destination.ts"

/** Whether a delivery to the destination is allowed to connect to the address. */
export type Check = (address: string, destination: Destination) => boolean

/**
 * Checks addresses at three stages, each of which is necessary:
 * - If a URL contains an IP address, Node runs no lookup.
 * - A name can resolve to different addresses than in the previous lookup.
 * - The network can route a connection to a different address.
 */
export interface Guard {
  /** Checks the IP address in the URL. */
  readonly written: Check
  /** Checks every address that a name resolves to. One blocked address blocks the name. */
  readonly resolved: Check
  /** Checks the connection's remote address before the first byte is sent. */
  readonly connected: Check
}

export const ssrfGuard = (networks: AllowedNetworks): Guard => {
  const check: Check = (address, { inward }) => isAllowed(networks, address) || (!inward && isPublic(address))
  return { written: check, resolved: check, connected: check }
}
