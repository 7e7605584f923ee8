import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { MessageAuthor } from "../../actor/Actor.ts"
import { getOnlinePaymentCents } from "../../booking/balance.ts"
import type { Booking } from "../../booking/Booking.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { formatAmount } from "../../money/Currency.ts"
import { formatQuantity } from "../../offering/formatQuantity.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Org } from "../../org/Org.ts"
import { isMoneyWithheld } from "../../payment/Payment.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import { formatStartTime } from "../message/formatStartTime.ts"

/**
 * The recipients: all guests with a confirmed booking in a class session or on a local date, or with a confirmed future
 * booking for an offering.
 */
export type BroadcastTarget =
  | { readonly sessionId: string }
  | { readonly from: Instant; readonly to: Instant }
  | { readonly offeringId: string; readonly from: Instant }

/** A message to many guests, each of whom receives it once. */
export interface Broadcast {
  readonly orgId: string
  /** A digest of the target, the subject, and the text. An identical request returns the same broadcast. */
  readonly key: string
  readonly id: string
  readonly target: BroadcastTarget
  readonly subject: string
  readonly body: string
  readonly sentBy: MessageAuthor
  readonly beganAt: Instant
  /** The ID of the last customer that was processed. Customers are processed in ID order. */
  readonly after: string
  /**
   * How many messages were sent, how many guests have no email address (such as erased guests), and how many have an
   * address to which email has failed permanently.
   */
  readonly sent: number
  readonly skipped: number
  readonly failed: number
  readonly doneAt: Instant | null
}

/**
 * Returns whether a broadcast announces that a session is canceled. The ops agent writes to a session only for this
 * purpose.
 */
export const isSessionCancellation = ({ sentBy, target }: Pick<Broadcast, "sentBy" | "target">): boolean =>
  sentBy === "agent" && "sessionId" in target

/** Returns whether a broadcast is for the guests in one session or on one day. */
export const isAboutDeparture = ({ target }: Pick<Broadcast, "target">): boolean => !("offeringId" in target)

/**
 * Stores broadcasts. A broadcast must reference an existing org, and its key must be unique within the org. A write
 * that violates these rules fails as a defect.
 */
export class BroadcastStore extends Context.Tag("@trailbook/core/BroadcastStore")<
  BroadcastStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** Finds a broadcast and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** Finds and locks a broadcast by the digest of its target and text. */
    readonly lockByKey: (orgId: string, key: string) => Effect.Effect<Option.Option<Broadcast>>
    /** Inserts a broadcast, or replaces the one with the same ID. */
    readonly put: (broadcast: Broadcast) => Effect.Effect<void>
    /**
     * Returns the position and the customer of each confirmed booking for the target, ordered by start and ID, starting
     * after a position.
     */
    readonly listConfirmedBookings: (query: {
      readonly orgId: string
      readonly target: BroadcastTarget
      readonly after: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Position & { readonly customerId: string }>>
    /**
     * Returns the customers in `among` who have a confirmed booking for the target, sorted by ID. Each customer is
     * returned once, with the first of these bookings by start and ID.
     */
    readonly guests: (query: {
      readonly orgId: string
      readonly target: BroadcastTarget
      readonly among: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyArray<{ readonly customerId: string; readonly bookingId: string }>>
  }
>() {}

/**
 * Returns the end of the message that announces the cancellation of a guest's bookings for one offering. It lists each
 * booking with its refund. If the offering can be booked, it also contains the URL of the booking page.
 */
export const formatCancellations = (
  records: ReadonlyArray<BookingRecord>,
  offering: Pick<Offering, "id" | "active" | "deletedAt"> | undefined,
  { currency, slug, timezone }: Pick<Org, "currency" | "slug" | "timezone">,
  publicUrl: string
): string => {
  const isRefunded = records.some(({ booking }) => booking.paidAt !== null && !isMoneyWithheld(booking.dispute))
  const canRebook = offering?.active === true && offering.deletedAt === null
  return [
    [
      records.length === 1 ? "Your canceled booking:" : "Your canceled bookings:",
      ...records.map(({ booking, offering: { kind, name } }) =>
        `- ${booking.reference}: ${name}, ${formatStartTime(booking.startsAt, timezone)}, ${
          formatQuantity(kind, booking.quantity)
        }${refundOf(booking, currency)}\n  ${publicUrl}/b/${booking.handle}`
      )
    ].join("\n"),
    ...(isRefunded ? ["The refund goes to the card or account you paid with. It can take a few days."] : []),
    ...(canRebook ? [`Book another time:\n${publicUrl}/book/${slug}/${offering.id}`] : [])
  ].join("\n\n")
}

const refundOf = (booking: Booking, currency: string): string => {
  const { dispute, paidAt, refund } = booking
  if (paidAt === null) return ""
  const total = formatAmount(refund?.cents ?? getOnlinePaymentCents(booking), currency)
  if (refund?.status === "done") return `, ${total} refunded`
  return isMoneyWithheld(dispute) ? ", not refunded because the payment is disputed" : `, ${total} refund in progress`
}
