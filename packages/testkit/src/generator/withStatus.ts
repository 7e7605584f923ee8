import type { Booking, Cancelled, Confirmed, Held } from "@trailbook/core/booking/Booking"

/** What is of a state alone. */
export type State =
  | Pick<Held, "status" | "expiresAt" | "paymentDue" | "checkoutUrl">
  | Pick<Confirmed, "status">
  | Pick<Cancelled, "status" | "cancelledAt">

/** The same booking in another state, with nothing left of the one it had. */
export const withStatus = (booking: Booking, state: State): Booking => {
  const { cancelledAt: _at, checkoutUrl: _url, expiresAt: _expiry, paymentDue: _due, status: _status, ...rest } = {
    cancelledAt: null,
    checkoutUrl: null,
    expiresAt: null,
    paymentDue: null,
    ...booking
  }
  return { ...rest, ...state }
}
