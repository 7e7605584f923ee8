import { type AllowedNetworks, isAllowed, isPublic } from "./addresses.ts"
import type { Destination } from "./Destination.ts"

/**
 * Whether a delivery to this destination may go to this address.
 *
 * @category models
 */
export type Check = (address: string, destination: Destination) => boolean

/**
 * The three places at which an address is looked at. They are named apart because
 * none of them stands in for another: Node looks up no address that is written in
 * a URL, a name may lead elsewhere than before, and a network may lead a connection
 * elsewhere than it was meant for.
 *
 * @category models
 */
export interface Guard {
  /** The address that stands in the URL itself. */
  readonly written: Check
  /** Every address that a name resolves to: one that is closed closes the name. */
  readonly resolved: Check
  /** The address at the other end of a connection, before a byte is written to it. */
  readonly connected: Check
}

/**
 * @category constructors
 */
export const ssrfGuard = (allowed: AllowedNetworks): Guard => {
  const check: Check = (address, { inward }) => isAllowed(allowed, address) || (!inward && isPublic(address))
  return { written: check, resolved: check, connected: check }
}
