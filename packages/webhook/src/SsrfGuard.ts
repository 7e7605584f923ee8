import * as Effect from "effect/Effect"
import { isIP } from "node:net"
import { type AllowedNetworks, isAllowedAddress, isPublicAddress } from "./addresses.ts"
import type { Destination } from "./Destination.ts"
import type { DnsResolver } from "./DnsResolver.ts"

/** Whether a delivery to the destination may connect to the address. */
type AddressCheck = (address: string, destination: Destination) => boolean

/**
 * Checks addresses at three stages, each of which is necessary:
 * - If a URL contains an IP address, Node runs no lookup.
 * - A name can resolve to different addresses than in the previous lookup.
 * - The network can route a connection to a different address.
 */
export interface SsrfGuard {
  /** Checks the IP address in the URL. */
  readonly literal: AddressCheck
  /** Checks every address that a name resolves to. One blocked address blocks the name. */
  readonly resolved: AddressCheck
  /** Checks the connection's remote address before the first byte is sent. */
  readonly connected: AddressCheck
}

export const makeSsrfGuard = (networks: AllowedNetworks): SsrfGuard => {
  const check: AddressCheck = (address, { isInternal }) =>
    isAllowedAddress(networks, address) || (!isInternal && isPublicAddress(address))
  return { literal: check, resolved: check, connected: check }
}

/**
 * Returns a destination's addresses: the IP address in the URL, or the addresses that the name currently resolves to.
 * Fails unless the guard allows all of them.
 */
export const resolveAllowedAddresses = (
  destination: Destination,
  { guard, resolve }: { readonly guard: SsrfGuard; readonly resolve: DnsResolver }
): Effect.Effect<ReadonlyArray<string>, "dns" | "blocked_address"> => {
  const { host } = destination
  if (isIP(host) !== 0) {
    return guard.literal(host, destination) ? Effect.succeed([host]) : Effect.fail("blocked_address")
  }
  return Effect.tryPromise({ try: (signal) => resolve(host, signal), catch: () => "dns" as const }).pipe(
    Effect.filterOrFail((addresses) => addresses.length > 0, () => "dns" as const),
    Effect.filterOrFail(
      (addresses) => addresses.every((address) => guard.resolved(address, destination)),
      () => "blocked_address" as const
    )
  )
}
