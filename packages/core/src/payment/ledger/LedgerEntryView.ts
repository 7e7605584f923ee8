import * as Schema from "effect/Schema"
import { Recorder } from "../../actor/Recorder.ts"
import { computeBalance } from "../../booking/balance.ts"
import type { Booking } from "../../booking/Booking.ts"
import { BookingView } from "../../booking/BookingView.ts"
import * as Event from "../../port/Event.ts"
import type * as Instant from "../../time/Instant.ts"
import { withDescription } from "../../wire/Field.ts"
import { toView } from "../../wire/snakeCase.ts"
import { Id, ids, Integer, personal, Timestamp } from "../../wire/View.ts"
import { refundReasons } from "../Payment.ts"
import { entryKinds, entryStatuses, type LedgerEntry, type MarkedEntry, paymentMethods } from "./LedgerEntry.ts"

export const LedgerEntryView = Schema.Struct({
  id: withDescription("its ID", Id, ids.payment),
  booking_id: withDescription("the booking", Id, ids.booking),
  kind: withDescription("`payment` from the guest, or `refund` to the guest", Schema.Literal(...entryKinds), "payment"),
  method: withDescription(
    "`online` for a payment through the provider, or the method used at the desk",
    Schema.Literal(...paymentMethods),
    "cash"
  ),
  amount_cents: withDescription("the amount, always positive", Integer, 17000),
  currency: withDescription("the currency of the amount", Schema.String, "usd"),
  refund_of: withDescription("the refunded online payment", Schema.NullOr(Id)),
  reason: withDescription("the reason for a refund, if known", Schema.NullOr(Schema.Literal(...refundReasons))),
  status: withDescription(
    "the status. `pending` online refunds are retried, and `void` entries were recorded by mistake",
    Schema.Literal(...entryStatuses),
    "done"
  ),
  note: withDescription("the staff's note", personal(Schema.String), "Paid at the put-in"),
  test: withDescription(
    "whether the payment was made in the provider's test mode and is excluded from reports",
    Schema.Boolean,
    false
  ),
  recorded_by: withDescription("the actor that recorded the entry", Recorder),
  created_at: withDescription("when the entry was recorded", Timestamp),
  done_at: withDescription("when the money was received or returned", Schema.NullOr(Timestamp))
}).annotations({ identifier: "Payment" })
export type LedgerEntryView = typeof LedgerEntryView.Type

const view = toView(LedgerEntryView)

export const ledgerEntryView = (entry: MarkedEntry): LedgerEntryView =>
  view({ ...entry, amountCents: entry.cents, test: entry.isTest === true })

const PaymentEventView = Schema.Struct({
  ...LedgerEntryView.fields,
  booking: withDescription(
    "the booking after the change",
    BookingView.pick("id", "reference", "total_cents", "paid_cents", "due_cents", "owed_cents")
  )
}).annotations({ identifier: "Payment" })

const extraData = "`booking`, the booking after the change, with its amounts"

export const paymentEvents = [
  Event.make("payment.created", {
    data: PaymentEventView,
    when: "A payment or refund at the desk is recorded.",
    extraData
  }),
  Event.make("payment.updated", {
    data: PaymentEventView,
    when: "A payment or refund that was recorded by mistake is voided.",
    extraData
  })
] as const

/** Creates the event for an entry, with the entry and its booking after the change. */
export const paymentEvent = (
  type: (typeof paymentEvents)[number]["type"],
  entry: LedgerEntry,
  booking: Booking,
  now: Instant.Instant
): Event.EventPayload<typeof paymentEvents> => {
  const { dueCents, owedCents, paidCents } = computeBalance(booking)
  return {
    orgId: booking.orgId,
    type,
    data: {
      ...ledgerEntryView(entry),
      booking: {
        id: booking.id,
        reference: booking.reference,
        total_cents: booking.totalCents,
        paid_cents: paidCents,
        due_cents: dueCents,
        owed_cents: owedCents
      }
    },
    person: booking.customerId,
    createdAt: now
  }
}
