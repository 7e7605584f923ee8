import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { PaymentConnection } from "./PaymentConnection.ts"

/**
 * A connection belongs to an org that is there. An org has at most one that is not
 * disconnected, and no two of the service have one id. What breaks this is not
 * stored: that is a defect.
 */
export class PaymentConnectionStore extends Context.Tag("@trailbook/core/PaymentConnectionStore")<
  PaymentConnectionStore,
  {
    /** Inserts a connection, or replaces the one with its key. */
    readonly put: (connection: PaymentConnection) => Effect.Effect<void>
    /** All of an org, disconnected ones too, the oldest first. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** The one with an id, whose org only the connection says. */
    readonly named: (id: string) => Effect.Effect<Option.Option<PaymentConnection>>
    /** Up to `limit` of all orgs that nobody has looked at since `before`, which say `now` from now on: the longest ago first. */
    readonly claim: (options: {
      readonly before: Instant
      readonly now: Instant
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** All that happened there up to a moment is known. It never goes back. */
    readonly seen: (key: OrgKey, to: Instant) => Effect.Effect<void>
    /** Up to `limit` of all orgs with an id greater than `after`, by id. */
    readonly page: (after: string, limit: number) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Puts its secrets sealed again in the place of those that it has, unless one of them has changed. */
    readonly reseal: (
      connection: PaymentConnection,
      sealed: Pick<PaymentConnection, "sealedKey" | "sealedNoticeSecret">
    ) => Effect.Effect<void>
  }
>() {}
