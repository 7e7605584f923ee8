import type { Kind } from "../offering/Offering.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * A booking that is on a trip: confirmed, or held and not run out.
 *
 * @category models
 */
export interface Party {
  readonly bookingId: string
  readonly customerId: string
  /** The guest was not erased, so there is somebody to write to. */
  readonly reachable: boolean
  readonly confirmed: boolean
  /** Seats, people or items. */
  readonly quantity: number
  /** What a cancellation refunds. */
  readonly refundCents: number
  readonly createdAt: Instant
}

/**
 * What goes out together: a session of a class with its bookings, or one booking of
 * an appointment or a rental.
 *
 * @category models
 */
export interface Trip {
  readonly sessionId: string | null
  readonly offeringId: string
  readonly offering: string
  readonly kind: Kind
  readonly startsAt: Instant
  readonly endsAt: Instant
  readonly parties: ReadonlyArray<Party>
}

/**
 * `session:…` or `booking:…`.
 *
 * @category getters
 */
export const tripSubject = ({ parties, sessionId }: Pick<Trip, "parties" | "sessionId">): string =>
  sessionId === null ? `booking:${parties[0]?.bookingId ?? ""}` : `session:${sessionId}`

/**
 * Seats, people or items of all parties.
 *
 * @category calculating
 */
export const countGuests = ({ parties }: Pick<Trip, "parties">): number =>
  parties.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * What goes back when all of its parties are cancelled, in cents.
 *
 * @category calculating
 */
export const totalRefunds = ({ parties }: Pick<Trip, "parties">): number =>
  parties.reduce((sum, { refundCents }) => sum + refundCents, 0)

/**
 * Whether a party is written to: no hold is, and nobody who was erased.
 *
 * @category predicates
 */
export const isTold = ({ confirmed, reachable }: Pick<Party, "confirmed" | "reachable">): boolean =>
  confirmed && reachable
