import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { PaymentConnection } from "./PaymentConnection.ts"

/**
 * Stores payment connections. A connection references an existing org, and an org has at most one that is not
 * disconnected. IDs are unique across all orgs. A write that violates this fails as a defect and is not stored.
 */
export class PaymentConnectionStore extends Context.Tag("@trailbook/core/PaymentConnectionStore")<
  PaymentConnectionStore,
  {
    /** Inserts or replaces a connection by key. */
    readonly put: (connection: PaymentConnection) => Effect.Effect<void>
    /** Returns all connections of an org, including disconnected ones, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Finds a connection of any org by ID. */
    readonly named: (id: string) => Effect.Effect<Option.Option<PaymentConnection>>
    /**
     * Claims up to `limit` connections of all orgs whose last reconciliation started before `before`, oldest first, and
     * sets that time to `now`.
     */
    readonly claim: (options: {
      readonly before: Instant
      readonly now: Instant
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Advances `seenTo`, which never goes back. */
    readonly seen: (key: OrgKey, to: Instant) => Effect.Effect<void>
    /** Returns up to `limit` connections of all orgs with an ID greater than `after`, sorted by ID. */
    readonly page: (after: string, limit: number) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Replaces the sealed secrets of a connection, unless they changed since it was read. */
    readonly reseal: (
      connection: PaymentConnection,
      sealed: Pick<PaymentConnection, "sealedKey" | "sealedNoticeSecret">
    ) => Effect.Effect<void>
  }
>() {}
