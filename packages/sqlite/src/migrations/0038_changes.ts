/**
 * Adds staff notes to bookings. Also adds the online payment amount, for bookings whose price changes after the
 * payment.
 */
export const changes: ReadonlyArray<string> = [
  "alter table bookings add column staff_notes text not null default ''",
  "alter table bookings add column online_cents integer"
]
