import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Payment } from "./Payment.ts"

/**
 * A payment refers to a booking of its own org. No two payments of a booking are
 * the same attempt, and no two of the service that a connection's provider took
 * have one intent. What breaks this is not stored: that is a defect.
 */
export class PaymentStore extends Context.Tag("@trailbook/core/PaymentStore")<
  PaymentStore,
  {
    /** Each once, however often its key is given, by id. Keys that name none are left out. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /** All payments of these bookings, by booking and attempt. */
    readonly ofBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /** The same, kept from changing until the unit of work ends. Their bookings are locked before. */
    readonly lockOfBookings: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Payment>>
    /**
     * The paid one that a provider names so, of a connection of this org. What the program around us took is not looked
     * for: of two programs' payments nobody says that their names differ, and its disputes are told to it, not to us.
     */
    readonly withIntent: (of: {
      readonly orgId: string
      readonly provider: string
      readonly intent: string
    }) => Effect.Effect<Option.Option<Payment>>
    /** Inserts each payment, or replaces the one with its key; no key is given twice. */
    readonly put: (payments: ReadonlyArray<Payment>) => Effect.Effect<void>
  }
>() {}
