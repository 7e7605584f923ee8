import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { deadline } from "./deadline.ts"
import * as Destination from "./Destination.ts"
import { resolveAllowed } from "./resolveAllowed.ts"
import type { Resolver } from "./Resolver.ts"
import type { Guard } from "./SsrfGuard.ts"

/**
 * Returns the problem with a URL of a tenant, based on its text and its current addresses. A public name that does
 * not resolve, or whose lookup times out, is accepted because it may resolve later. A name for the internal network
 * must resolve.
 */
export const validateEndpoint = (
  url: string,
  seams: { readonly guard: Guard; readonly resolve: Resolver }
): Effect.Effect<string | undefined> =>
  Either.match(Destination.parse(url), {
    onLeft: (objection) => Effect.succeed(objection),
    onRight: (destination) =>
      resolveAllowed(destination, seams).pipe(
        Effect.timeoutFail({ duration: deadline, onTimeout: () => "dns" as const }),
        Effect.match({
          onSuccess: () => undefined,
          onFailure: (fault) => {
            if (destination.inward) return Destination.privateAddressError(destination)
            return fault === "blocked_address" ? "must resolve to a public address" : undefined
          }
        })
      )
  })
