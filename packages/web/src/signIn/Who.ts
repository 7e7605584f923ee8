import { type Refusal, refuse } from "@trailbook/core/Refusal"
import { Logins, type SignedIn } from "@trailbook/core/staff/Logins"
import { Failure } from "@trailbook/http/Failure"
import type { Asking } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import type { Site } from "../Site.ts"
import { type LoginCookie, loginCookie } from "./cookie.ts"

/**
 * Who of the staff asks, by their cookie.
 *
 * @category models
 */
export interface Who {
  readonly cookie: LoginCookie
  readonly signedIn: (request: Request) => Effect.Effect<SignedIn, Refusal<"unauthorized">>
  /** For routes: whoever is not signed in is sent to do that, and then back. */
  readonly find: (asking: Asking) => Effect.Effect<SignedIn["actor"], Failure>
}

/**
 * @category constructors
 */
export const make = (site: Site): Effect.Effect<Who, never, Logins> =>
  Effect.map(Logins, (logins) => {
    const cookie = loginCookie(site)
    // A page asks for who it is after its route has.
    const known = new WeakMap<Request, SignedIn>()
    const signedIn: Who["signedIn"] = (request) => {
      const found = known.get(request)
      if (found !== undefined) return Effect.succeed(found)
      const secret = cookie.of(request)
      if (secret === "") return refuse("unauthorized", "Sign in first.")
      return Effect.tap(logins.verify(secret), (one) => Effect.sync(() => known.set(request, one)))
    }
    return {
      cookie,
      signedIn,
      find: ({ request }) =>
        Effect.map(
          Effect.mapError(signedIn(request), (refusal) => new Failure(refusal, {}, 401)),
          ({ actor }) => actor
        )
    }
  })
