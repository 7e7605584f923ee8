import * as Effect from "effect/Effect"
import { isIP } from "node:net"
import type { Destination } from "./Destination.ts"
import type { Resolver } from "./Resolver.ts"
import type { Guard } from "./SsrfGuard.ts"

/**
 * Returns a destination's addresses: the IP address in the URL, or the addresses that the name currently resolves to.
 * Fails unless the guard allows all of them.
 */
export const resolveAllowed = (
  destination: Destination,
  { guard, resolve }: { readonly guard: Guard; readonly resolve: Resolver }
): Effect.Effect<ReadonlyArray<string>, "dns" | "blocked_address"> => {
  const { host } = destination
  if (isIP(host) !== 0) {
    return guard.written(host, destination) ? Effect.succeed([host]) : Effect.fail("blocked_address")
  }
  return Effect.tryPromise({ try: (signal) => resolve(host, signal), catch: () => "dns" as const }).pipe(
    Effect.filterOrFail((addresses) => addresses.length > 0, () => "dns" as const),
    Effect.filterOrFail(
      (addresses) => addresses.every((address) => guard.resolved(address, destination)),
      () => "blocked_address" as const
    )
  )
}
