import { formatAmount } from "../money/Currency.ts"
import type { OfferingKind } from "../offering/Offering.ts"
import type { Instant } from "../time/Instant.ts"

/** A confirmed booking on a trip, or a hold that has not expired. */
export interface TripBooking {
  readonly bookingId: string
  readonly customerId: string
  /** Whether the guest can be contacted. False for erased guests. */
  readonly reachable: boolean
  readonly confirmed: boolean
  readonly isNoShow: boolean
  /** The number of seats, people, or items. */
  readonly quantity: number
  /** The amount that the guest still owes, in cents. */
  readonly dueCents: number
  /** The refund on cancellation, in cents. */
  readonly refundCents: number
  /** The desk payments that the outfitter must return after a cancellation, with their currency. */
  readonly owed: { readonly cents: number; readonly currency: string }
  /** Whether a dispute blocks the refund. */
  readonly isDisputed: boolean
  readonly createdAt: Instant
}

/**
 * A group of guests who go out together: a class session with its bookings, or a single appointment or rental booking.
 */
export interface Trip {
  readonly sessionId: string | null
  readonly offeringId: string
  readonly offering: string
  readonly kind: OfferingKind
  readonly startsAt: Instant
  readonly endsAt: Instant
  readonly parties: ReadonlyArray<TripBooking>
}

/** Returns the subject of a trip's proposal: `session:…` or `booking:…`. */
export const toProposalSubject = ({ parties, sessionId }: Pick<Trip, "parties" | "sessionId">): string =>
  sessionId === null ? `booking:${parties[0]?.bookingId ?? ""}` : `session:${sessionId}`

/** Returns the total number of seats, people, or items across all parties. */
export const countGuests = ({ parties }: Pick<Trip, "parties">): number =>
  parties.reduce((sum, { quantity }) => sum + quantity, 0)

/** Returns the total refund, in cents, for canceling all parties. */
export const sumTripRefunds = ({ parties }: Pick<Trip, "parties">): number =>
  parties.reduce((sum, { refundCents }) => sum + refundCents, 0)

/**
 * Returns warnings about money that is not refunded automatically: disputed payments and desk payments. They are
 * appended to the reason for a cancellation.
 */
export const formatMoneyWarnings = (parties: ReadonlyArray<TripBooking>): string => {
  const { length } = parties.filter(({ isDisputed }) => isDisputed)
  const clause = length === 1 ? "1 payment is" : `${length} payments are`
  const sums = new Map<string, number>()
  for (const { owed: { cents, currency } } of parties) {
    if (cents > 0) sums.set(currency, (sums.get(currency) ?? 0) + cents)
  }
  const amounts = [...sums].map(([currency, cents]) => formatAmount(cents, currency)).join(" and ")
  return [
    ...(length === 0 ? [] : [` Warning: ${clause} disputed by the guest's bank and will not be refunded.`]),
    ...(amounts === ""
      ? []
      : [` Warning: ${amounts} paid at the desk is owed to guests and is not refunded automatically.`])
  ].join("")
}

/** Returns whether a party gets messages. Holds and erased guests get no messages. */
export const canReceiveMessages = ({ confirmed, reachable }: Pick<TripBooking, "confirmed" | "reachable">): boolean =>
  confirmed && reachable

/** Groups the bookings by guest, ordered by each guest's first booking. */
export const groupByGuest = <P extends TripBooking>(parties: ReadonlyArray<P>): ReadonlyArray<[P, ...Array<P>]> => {
  const guests = new Map<string, [P, ...Array<P>]>()
  for (const party of parties) {
    const group = guests.get(party.customerId)
    if (group === undefined) guests.set(party.customerId, [party])
    else group.push(party)
  }
  return [...guests.values()]
}
