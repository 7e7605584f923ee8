/**
 * @since 0.1.0
 */

/**
 * Every code that an error may carry (decision 9.1), with its status and what
 * its message may read like.
 *
 * @since 0.1.0
 * @category constants
 */
export const errorCodes: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  invalid_request: { status: 400, message: "quantity: must be a whole number from 1 to 10000" },
  unauthorized: { status: 401, message: "Send a valid API key as Authorization: Bearer <key>." },
  forbidden: { status: 403, message: "bookings.create needs a key with the scope write." },
  not_found: { status: 404, message: "There is no booking 0197c0de-0000-7000-8000-000000000000." },
  too_large: { status: 413, message: "The body must be at most 1048576 bytes long." },
  unsupported_media_type: {
    status: 415,
    message: "Send the body as JSON in UTF-8, with Content-Type: application/json."
  },
  rate_limited: { status: 429, message: "Too many requests. Wait 1 s and send the same request again." },
  internal: { status: 500, message: "Something went wrong. The request's id leads to it in the log." },
  unavailable: { status: 503, message: "The service cannot answer now. Send the same request again." },

  booking_cancelled: { status: 409, message: "The booking is cancelled." },
  booking_held: { status: 409, message: "The booking is held; confirm it first." },
  customer_erased: { status: 409, message: "The customer was erased." },
  export_limited: { status: 429, message: "An export of this outfitter is under way. Wait until it has ended." },
  has_bookings: {
    status: 409,
    message: "The offering has 3 upcoming bookings; send cancel_bookings=true to cancel them."
  },
  hold_expired: { status: 409, message: "The hold has expired and its place is taken." },
  idempotency_conflict: { status: 409, message: "This idempotency_key belongs to another request." },
  offering_paused: { status: 409, message: "The offering is paused." },
  resend_limited: { status: 429, message: "The confirmation was sent less than 24 hours ago." },
  session_cancelled: { status: 409, message: "The session is cancelled." },
  slot_full: { status: 409, message: "The slot has no room for 2 more." },
  slot_unavailable: { status: 409, message: "The offering has no slot at 2027-05-01T15:00:00.000Z." },
  webhook_limit: { status: 409, message: "There are 20 webhooks, which is as many as there may be. Delete one first." },
  wrong_kind: { status: 409, message: "A class has sessions, not hours." }
}
