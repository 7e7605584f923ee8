import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { ApiKey } from "./ApiKey.ts"

/**
 * A key refers to its org. One that refers to none is not stored: that is a
 * defect. A key is looked up before its org is known, so ids are drawn to be
 * unique in the whole service; a storage may rely on that and need not watch it.
 */
export class ApiKeyStore extends Context.Tag("@trailbook/core/ApiKeyStore")<
  ApiKeyStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<ApiKey>>
    /** The org's keys, oldest first, revoked ones included. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Inserts the key, or replaces the one with its id. */
    readonly put: (key: ApiKey) => Effect.Effect<void>
    readonly touch: (id: string, at: Instant) => Effect.Effect<void>
  }
>() {}
