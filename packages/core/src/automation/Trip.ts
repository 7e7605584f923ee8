import type { Kind } from "../offering/Offering.ts"
import type { Instant } from "../time/Instant.ts"

/** A booking on a trip: confirmed, or a hold that has not expired. */
export interface Party {
  readonly bookingId: string
  readonly customerId: string
  /** Whether the guest can be contacted: they were not erased. */
  readonly reachable: boolean
  readonly confirmed: boolean
  readonly isNoShow: boolean
  /** Seats, people, or items. */
  readonly quantity: number
  /** The refund on cancellation, in cents. */
  readonly refundCents: number
  /** Whether a dispute withholds the refund. */
  readonly isDisputed: boolean
  readonly createdAt: Instant
}

/** Guests who go out together: a class session with its bookings, or one booking of an appointment or a rental. */
export interface Trip {
  readonly sessionId: string | null
  readonly offeringId: string
  readonly offering: string
  readonly kind: Kind
  readonly startsAt: Instant
  readonly endsAt: Instant
  readonly parties: ReadonlyArray<Party>
}

/** `session:…` or `booking:…`. */
export const tripSubject = ({ parties, sessionId }: Pick<Trip, "parties" | "sessionId">): string =>
  sessionId === null ? `booking:${parties[0]?.bookingId ?? ""}` : `session:${sessionId}`

/** The seats, people, or items of all parties. */
export const countGuests = ({ parties }: Pick<Trip, "parties">): number =>
  parties.reduce((sum, { quantity }) => sum + quantity, 0)

/** The refund if all parties are canceled, in cents. */
export const totalRefunds = ({ parties }: Pick<Trip, "parties">): number =>
  parties.reduce((sum, { refundCents }) => sum + refundCents, 0)

/** A warning about disputed payments for the reason of a cancellation; empty if there are none. */
export const disputeWarning = (parties: ReadonlyArray<Party>): string => {
  const { length } = parties.filter(({ isDisputed }) => isDisputed)
  const which = length === 1 ? "1 payment is" : `${length} payments are`
  return length === 0 ? "" : ` Warning: ${which} disputed by the guest's bank and not refunded.`
}

/** Whether a party gets messages. Holds and erased guests do not. */
export const isTold = ({ confirmed, reachable }: Pick<Party, "confirmed" | "reachable">): boolean =>
  confirmed && reachable

/** The bookings of each guest, in the order of the guests' first ones. */
export const byGuest = <P extends Party>(parties: ReadonlyArray<P>): ReadonlyArray<[P, ...Array<P>]> => {
  const guests = new Map<string, [P, ...Array<P>]>()
  for (const party of parties) {
    const others = guests.get(party.customerId)
    if (others === undefined) guests.set(party.customerId, [party])
    else others.push(party)
  }
  return [...guests.values()]
}
