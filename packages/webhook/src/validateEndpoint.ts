import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { deadline } from "./deadline.ts"
import * as Destination from "./Destination.ts"
import { resolveAllowed } from "./resolveAllowed.ts"
import type { Resolver } from "./Resolver.ts"
import type { Guard } from "./SsrfGuard.ts"

/**
 * What is wrong with an address that a tenant gives, by its text and by where it
 * leads now. A public name that nobody has, or whose look-up does not end, may be
 * found later; a name for the inner network has to be there.
 *
 * @category effects
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
            return fault === "blocked_address" ? "must lead to a public address" : undefined
          }
        })
      )
  })
