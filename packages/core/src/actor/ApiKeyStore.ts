import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"
import type { ApiKey } from "./ApiKey.ts"

/**
 * Stores API keys. A key must reference an existing org. A write that violates this rule fails as a defect, and nothing
 * is stored. A key is looked up before its org is known, so generated IDs are unique across all orgs. Implementations
 * do not need to check this.
 */
export class ApiKeyStore extends Context.Tag("@trailbook/core/ApiKeyStore")<
  ApiKeyStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<ApiKey>>
    /** Returns an org's keys, including revoked keys, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Inserts or replaces a key by ID. */
    readonly put: (key: ApiKey) => Effect.Effect<void>
    readonly touch: (id: string, at: Instant) => Effect.Effect<void>
  }
>() {}
