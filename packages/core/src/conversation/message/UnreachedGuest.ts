import type { Booking } from "../../booking/Booking.ts"
import { type Customer, hasPlaceholder } from "../../customer/Customer.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Message } from "./Message.ts"

/** A booking whose guest did not get a message. */
export interface UnreachedGuest {
  readonly bookingId: string
  /** When the email failed, or when a guest without an address booked. */
  readonly at: Instant
  /** The mail server's response. Null if it is unknown. */
  readonly failure: string | null
}

/**
 * Selects the bookings that start in a time range, or else the bookings in `bookingIds` and all bookings for the
 * sessions in `sessionIds`.
 */
export type UnreachedQuery =
  & { readonly orgId: string; readonly limit: number }
  & (
    | { readonly from: Instant; readonly to: Instant }
    | { readonly bookingIds: ReadonlyArray<string>; readonly sessionIds: ReadonlyArray<string> }
  )

/** Returns whether a message's email failed. A server that accepted an email can bounce it later. */
export const hasFailed = ({ deliveredAt, failedAt }: Pick<Message, "deliveredAt" | "failedAt">): boolean =>
  failedAt !== null && (deliveredAt === null || deliveredAt <= failedAt)

/**
 * Returns the reason that a booking's guest was not reached, or undefined if the guest was reached. There are three
 * cases. First, a message about the booking failed, and no later message from a person was delivered. Second, an email
 * to the guest failed before the start, and no email was delivered after it. A delivered reminder does not make up for
 * the failed message. Third, a guest without an email address counts as not reached until attendance is recorded. If a
 * booking's contact details include an email address, it is always the guest's address.
 */
export const findUnreachedGuest = (
  booking: Pick<Booking, "id" | "startsAt" | "status" | "attendance" | "contact" | "createdAt">,
  guest: Pick<Customer, "email">,
  bouncedAt: Instant | null,
  about: ReadonlyArray<Message>
): UnreachedGuest | undefined => {
  const { attendance, contact, createdAt, id: bookingId, startsAt, status } = booking
  if (status === "held") return undefined
  const last = about.filter((message) =>
    message.direction === "to_guest" && message.kind === "message" &&
    (hasFailed(message) || (message.deliveredAt !== null && message.channel !== "system"))
  ).toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))[0]
  if (last !== undefined && last.failedAt !== null && hasFailed(last)) {
    return { bookingId, at: last.failedAt, failure: last.failure }
  }
  if (bouncedAt !== null && bouncedAt < startsAt) return { bookingId, at: bouncedAt, failure: null }
  if (contact?.email || !hasPlaceholder(guest) || attendance !== null) return undefined
  return { bookingId, at: createdAt, failure: null }
}
