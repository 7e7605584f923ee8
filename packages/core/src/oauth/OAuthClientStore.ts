import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { OAuthClient } from "./OAuthClient.ts"

/** OAuth clients. They belong to no org. */
export class OAuthClientStore extends Context.Tag("@trailbook/core/OAuthClientStore")<
  OAuthClientStore,
  {
    readonly find: (clientId: string) => Effect.Effect<Option.Option<OAuthClient>>
    /** Inserts the client, or replaces the one with its ID. */
    readonly put: (application: OAuthClient) => Effect.Effect<void>
    /** Deletes at most `limit` clients without a grant that were last read before this time, oldest first. */
    readonly removeUnused: (before: Instant, limit: number) => Effect.Effect<void>
  }
>() {}
