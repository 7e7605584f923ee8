import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { OAuthClient } from "./OAuthClient.ts"

/**
 * Applications, which belong to no org.
 *
 * @category ports
 */
export class OAuthClientStore extends Context.Tag("@trailbook/core/OAuthClientStore")<
  OAuthClientStore,
  {
    readonly find: (clientId: string) => Effect.Effect<Option.Option<OAuthClient>>
    /** Inserts the application, or replaces the one with its id. */
    readonly put: (application: OAuthClient) => Effect.Effect<void>
    /** Deletes applications that were last read before this moment and that no grant names, the oldest first, at most `limit`. */
    readonly removeUnused: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}
