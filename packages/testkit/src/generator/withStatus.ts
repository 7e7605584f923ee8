import type { Booking, Cancelled, Confirmed, Held } from "@trailbook/core/booking/Booking"

/** The fields that depend on the status. */
export type State =
  | Pick<Held, "status" | "expiresAt" | "paymentDue" | "checkoutUrl">
  | Pick<Confirmed, "status">
  | Pick<Cancelled, "status" | "cancelledAt" | "keepCents">

/**
 * Returns the booking in another status, without the fields of its previous status. If a hold becomes confirmed, it was
 * confirmed at its creation.
 */
export const withStatus = (booking: Booking, state: State): Booking => {
  const { cancelledAt: _at, checkoutUrl: _url, expiresAt: _expiry, paymentDue: _due, status: _status, ...rest } = {
    cancelledAt: null,
    checkoutUrl: null,
    expiresAt: null,
    paymentDue: null,
    ...booking
  }
  switch (state.status) {
    case "held":
      return { ...rest, ...state, confirmedAt: null, keepCents: null }
    case "confirmed":
      return { ...rest, ...state, confirmedAt: booking.confirmedAt ?? booking.createdAt, keepCents: null }
    case "cancelled":
      return { ...rest, ...state }
  }
}
