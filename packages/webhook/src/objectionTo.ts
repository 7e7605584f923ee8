import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { addressesOf } from "./addressesOf.ts"
import { deadline } from "./deadline.ts"
import * as Destination from "./Destination.ts"
import type { Guard } from "./Guard.ts"
import type { Resolver } from "./Resolver.ts"

/**
 * What is wrong with an address that a tenant gives, by its text and by where it
 * leads now. A public name that nobody has, or whose look-up does not end, may be
 * found later; a name for the inner network has to be there.
 *
 * @category effects
 */
export const objectionTo = (
  url: string,
  seams: { readonly guard: Guard; readonly resolve: Resolver }
): Effect.Effect<string | undefined> =>
  Either.match(Destination.parse(url), {
    onLeft: (objection) => Effect.succeed(objection),
    onRight: (destination) =>
      addressesOf(destination, seams).pipe(
        Effect.timeoutFail({ duration: deadline, onTimeout: () => "dns" as const }),
        Effect.match({
          onSuccess: () => undefined,
          onFailure: (fault) => {
            if (destination.inward) return Destination.inwardObjection(destination)
            return fault === "blocked_address" ? "must lead to a public address" : undefined
          }
        })
      )
  })
