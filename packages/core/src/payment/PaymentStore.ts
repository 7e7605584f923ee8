import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Payment } from "./Payment.ts"

/**
 * Stores payments. A payment references a booking in the same org. Attempt numbers are unique within a booking. Intents
 * of payments with a connection are unique per provider across all orgs. A write that violates these rules fails as a
 * defect and stores nothing.
 */
export class PaymentStore extends Context.Tag("@trailbook/core/PaymentStore")<
  PaymentStore,
  {
    /** Returns each payment once, sorted by ID, even if its key is repeated. Unknown keys are skipped. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /** Returns all payments for these bookings, sorted by booking and attempt. */
    readonly ofBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /**
     * Like `ofBookings`, but locks the payments until the transaction ends. The caller must lock the bookings first.
     */
    readonly lockOfBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /**
     * Finds the paid payment with this intent among the payments that used one of the org's connections. Excludes
     * payments that the host application took, because the host application handles its own disputes and its intents
     * need not be unique.
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
