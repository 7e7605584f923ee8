import type { Booking } from "@trailbook/core/booking/Booking"
import type { Departing } from "@trailbook/core/booking/BookingStore"

/**
 * Bookings added up by what departs together, by start, offering and session.
 *
 * @category calculating
 */
export const departuresOf = (bookings: ReadonlyArray<Booking>): ReadonlyArray<Departing> => {
  const groups = new Map<string, Departing>()
  for (const { endsAt, id, offeringId, quantity, sessionId, startsAt, status } of bookings) {
    const name = [startsAt, offeringId, sessionId].join(" ")
    const held = status === "held" ? 1 : 0
    const so = groups.get(name) ?? { ...none, endsAt, firstId: id }
    groups.set(name, {
      offeringId,
      sessionId,
      startsAt,
      endsAt: so.endsAt > endsAt ? so.endsAt : endsAt,
      firstId: so.firstId < id ? so.firstId : id,
      bookings: so.bookings + 1,
      quantity: so.quantity + quantity,
      heldBookings: so.heldBookings + held,
      heldQuantity: so.heldQuantity + held * quantity
    })
  }
  return [...groups.values()].toSorted((a, b) =>
    a.startsAt - b.startsAt || compare(a.offeringId, b.offeringId) || compare(a.sessionId ?? "", b.sessionId ?? "")
  )
}

const none = { bookings: 0, quantity: 0, heldBookings: 0, heldQuantity: 0 }

const compare = (a: string, b: string): number => a === b ? 0 : a < b ? -1 : 1
