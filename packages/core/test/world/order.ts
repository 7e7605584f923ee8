import type { CreateBookingRequest } from "@trailbook/core/booking/createBooking"

/** Returns a request for one seat at an appointment or rental by a guest who gives only an email address. */
export const makeOrder = (
  fields: Partial<CreateBookingRequest> & Pick<CreateBookingRequest, "offeringId">
): CreateBookingRequest => ({
  orgId: "org",
  source: "api",
  quantity: 1,
  contact: { email: "ann@a.co" },
  notes: "",
  idempotency: { key: "key", fingerprint: "" },
  ...fields
})
