import type { Booking } from "@trailbook/core/booking/Booking"
import type { DepartureTotals } from "@trailbook/core/booking/BookingStore"

/** Sums bookings by start and offering. */
export const departureTotals = (bookings: ReadonlyArray<Booking>): ReadonlyArray<DepartureTotals> => {
  const groups = new Map<string, DepartureTotals>()
  for (const { endsAt, id, offeringId, quantity, startsAt, status } of bookings) {
    const name = `${startsAt} ${offeringId}`
    const held = status === "held" ? 1 : 0
    const so = groups.get(name) ?? { ...none, endsAt, firstId: id }
    groups.set(name, {
      offeringId,
      startsAt,
      endsAt: so.endsAt > endsAt ? so.endsAt : endsAt,
      firstId: so.firstId < id ? so.firstId : id,
      bookings: so.bookings + 1,
      quantity: so.quantity + quantity,
      heldBookings: so.heldBookings + held,
      heldQuantity: so.heldQuantity + held * quantity
    })
  }
  return [...groups.values()].toSorted((a, b) => a.startsAt - b.startsAt || (a.offeringId < b.offeringId ? -1 : 1))
}

const none = { bookings: 0, quantity: 0, heldBookings: 0, heldQuantity: 0 }
