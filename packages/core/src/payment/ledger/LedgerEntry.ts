import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Recorder } from "../../actor/Actor.ts"
import { computeBalance } from "../../booking/balance.ts"
import type { Booking } from "../../booking/Booking.ts"
import { BookingView } from "../../booking/BookingView.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import * as Event from "../../port/Event.ts"
import { computeKeptCents, type RefundChoice } from "../../pricing/CancellationPolicy.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import { withDescription } from "../../wire/Field.ts"
import { makeViewMapper } from "../../wire/snakeCase.ts"
import { exampleIds, Id, Integer, personal, Timestamp } from "../../wire/View.ts"
import { type RefundReason, refundReasons } from "../Payment.ts"

/** The payment methods at the desk. */
export const deskMethods = ["cash", "card", "transfer", "voucher", "other"] as const

export type DeskMethod = (typeof deskMethods)[number]

/** `online` means that the payment provider moves the money. */
export const paymentMethods = ["online", ...deskMethods] as const

export const entryKinds = ["payment", "refund"] as const

/** An entry's status. Only refunds for online payments are `pending` or `failed`. Only desk entries are `void`. */
export const entryStatuses = ["pending", "done", "failed", "void"] as const

/** A payment or refund for a booking. Entries are never deleted, and only their status changes. */
export interface LedgerEntry {
  readonly id: string
  readonly orgId: string
  readonly bookingId: string
  readonly kind: (typeof entryKinds)[number]
  readonly method: (typeof paymentMethods)[number]
  /** A positive amount in the currency's smallest unit. */
  readonly cents: number
  /** An ISO 4217 code in lowercase. */
  readonly currency: string
  /** The refunded online payment. Null for other entries. */
  readonly refundOf: string | null
  readonly reason: RefundReason | null
  readonly status: (typeof entryStatuses)[number]
  readonly note: string
  /** The account of an online payment. Null for a desk entry and for a payment that the host application takes. */
  readonly connection: string | null
  readonly recordedBy: Recorder
  readonly createdAt: Instant.Instant
  readonly doneAt: Instant.Instant | null
}

/** An entry, with a flag that is set if its payment went to a test-mode account. */
export interface LedgerEntryWithMode extends LedgerEntry {
  readonly isTest?: boolean
}

/**
 * Returns the amount that an entry adds to its booking's paid amount. A pending refund counts, because it is retried.
 */
export const computePaidCents = ({ cents, kind, status }: Pick<LedgerEntry, "cents" | "kind" | "status">): number =>
  kind === "payment"
    ? (status === "done" ? cents : 0)
    : status === "done" || status === "pending"
    ? -cents
    : 0

/** A query for a page of an org's entries, newest first. */
export interface LedgerQuery {
  readonly orgId: string
  readonly bookingId?: string | undefined
  readonly method?: LedgerEntry["method"] | undefined
  /** Selects entries with `from <= createdAt < to`. */
  readonly from?: Instant.Instant | undefined
  readonly to?: Instant.Instant | undefined
  /** The last row of the previous page. */
  readonly after: Position | undefined
  readonly limit: number
}

/**
 * Stores the entries for bookings. An entry and its booking must belong to the same org. A writer must lock the booking
 * first.
 */
export class LedgerStore extends Context.Tag("@trailbook/core/LedgerStore")<
  LedgerStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<LedgerEntry>>
    readonly list: (query: LedgerQuery) => Effect.Effect<ReadonlyArray<LedgerEntry>>
    /** Inserts entries, or replaces them by key. A replaced entry keeps its `createdAt`. The keys must be distinct. */
    readonly put: (entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<void>
    /** Erases the notes on all entries for these bookings. */
    readonly forgetNotes: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<void>
  }
>() {}

export const LedgerEntryView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.payment),
  booking_id: withDescription("the booking", Id, exampleIds.booking),
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

const view = makeViewMapper(LedgerEntryView)

export const ledgerEntryView = (entry: LedgerEntryWithMode): LedgerEntryView =>
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
    when: "A payment or refund is recorded at the desk.",
    extraData
  }),
  Event.make("payment.updated", {
    data: PaymentEventView,
    when: "A payment or refund that was recorded by mistake is voided.",
    extraData
  })
] as const

/** Creates the event for an entry, with the entry and its booking after the change. */
export const makePaymentEvent = (
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

// A cancellation's online refunds are computed from the views that a caller can read. Only the ledger contains the
// amounts, because a booking can also be paid at the desk, in several payments, or with a disputed payment.

/**
 * Splits an amount into refunds for the online payments among the entries. Each refund is at most the refundable amount
 * of its payment. A disputed payment is never refunded. The refunds add up to less than the amount if the refundable
 * amounts do not cover it.
 */
export const splitOnlineRefund = (entries: ReadonlyArray<LedgerEntryView>, cents: number): ReadonlyArray<number> => {
  let remainingCents = Math.max(0, cents)
  return entries.filter(({ kind, method }) => kind === "payment" && method === "online").flatMap((payment) => {
    const refunds = entries.filter(({ refund_of, status }) => refund_of === payment.id && status !== "failed")
    const isDisputed = refunds.some(({ reason }) => reason === "dispute")
    const refundedCents = sumCents(refunds.map(({ amount_cents }) => amount_cents))
    const partCents = isDisputed ? 0 : Math.min(remainingCents, payment.amount_cents - refundedCents)
    remainingCents -= Math.max(0, partCents)
    return partCents > 0 ? [partCents] : []
  })
}

/**
 * Returns the amount that a cancellation would refund now, and one online refund per payment, all in cents. The
 * difference is refunded at the desk.
 */
export const computeRefunds = (
  booking: BookingView,
  /** The booking's online entries. */
  entries: ReadonlyArray<LedgerEntryView>,
  /** `all` if the outfitter cancels the departure. */
  choice: RefundChoice | "all",
  now: Instant.Instant
): { readonly backCents: number; readonly refunds: ReadonlyArray<number> } => {
  const { cancellation_policy: policy, paid_cents: paidCents, quantity, starts_at, total_cents: totalCents } = booking
  const startsAt = Instant.make(Date.parse(starts_at))
  const keepCents = choice === "all"
    ? 0
    : computeKeptCents({ cancellationPolicy: policy ?? null, quantity, startsAt, totalCents }, choice, now)
  const backCents = paidCents - Math.min(keepCents, paidCents)
  return { backCents, refunds: splitOnlineRefund(entries, backCents) }
}

/** Loads each booking's online refunds, in cents. Runs one query for each booking with an online payment. */
export const loadOnlineRefunds = <E, R>(
  bookings: ReadonlyArray<BookingView>,
  choice: RefundChoice | "all",
  list: (
    query: { readonly booking_id: string; readonly method: "online"; readonly limit: number }
  ) => Effect.Effect<{ readonly data: ReadonlyArray<LedgerEntryView> }, E, R>
): Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, E, R> =>
  Effect.flatMap(currentTime, (now) =>
    Effect.forEach(bookings, (booking) =>
      booking.payment_intent_id === null
        ? Effect.succeed([])
        : Effect.map(
          list({ booking_id: booking.id, method: "online", limit: 500 }),
          ({ data }) => computeRefunds(booking, data, choice, now).refunds
        ), { concurrency: 8 }))

/** Adds amounts in cents. */
export const sumCents = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, cents) => sum + cents, 0)
