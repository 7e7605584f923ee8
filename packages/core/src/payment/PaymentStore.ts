import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Payment } from "./Payment.ts"

/**
 * Stores payments. A payment references a booking of the same org. Attempt numbers are unique within a booking. The
 * intents of a provider's payments are unique across all orgs if they have a connection. A write that violates this
 * fails as a defect and is not stored.
 */
export class PaymentStore extends Context.Tag("@trailbook/core/PaymentStore")<
  PaymentStore,
  {
    /** Returns each payment once, sorted by ID, even if its key is repeated. Unknown keys are skipped. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /** Returns all payments of these bookings, sorted by booking and attempt. */
    readonly ofBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /**
     * The same as `ofBookings`, but locks the payments until the transaction ends. The caller must lock the bookings
     * first.
     */
    readonly lockOfBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /**
     * Finds the paid payment with this intent among the payments that used a connection of the org. Payments taken by
     * the host application are excluded: its intents are not guaranteed to be unique, and it handles its own disputes.
     */
    readonly withIntent: (of: {
      readonly orgId: string
      readonly provider: string
      readonly intent: string
    }) => Effect.Effect<Option.Option<Payment>>
    /** Inserts or replaces payments by key. The keys must be distinct. */
    readonly put: (payments: ReadonlyArray<Payment>) => Effect.Effect<void>
  }
>() {}
