import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { PaymentConnection } from "./PaymentConnection.ts"

/**
 * Stores payment connections. A connection references an existing org. An org has at most one connection that is not
 * disconnected. IDs are unique across all orgs. A write that violates these rules fails as a defect and stores nothing.
 */
export class PaymentConnectionStore extends Context.Tag("@trailbook/core/PaymentConnectionStore")<
  PaymentConnectionStore,
  {
    /** Inserts or replaces a connection by key. */
    readonly put: (connection: PaymentConnection) => Effect.Effect<void>
    /** Returns all of an org's connections, including disconnected connections, oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Finds a connection in any org by ID. */
    readonly named: (id: string) => Effect.Effect<Option.Option<PaymentConnection>>
    /**
     * Claims up to `limit` connections across all orgs whose last reconciliation started before `before`, oldest first.
     * Sets the start of their last reconciliation to `now`.
     */
    readonly claim: (options: {
      readonly before: Instant
      readonly now: Instant
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Advances `seenTo`. An earlier time has no effect. */
    readonly seen: (key: OrgKey, to: Instant) => Effect.Effect<void>
    /** Returns up to `limit` connections across all orgs with an ID greater than `after`, sorted by ID. */
    readonly page: (after: string, limit: number) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Replaces a connection's sealed secrets, unless they changed since the connection was read. */
    readonly reseal: (
      connection: PaymentConnection,
      sealed: Pick<PaymentConnection, "sealedKey" | "sealedNoticeSecret">
    ) => Effect.Effect<void>
  }
>() {}
