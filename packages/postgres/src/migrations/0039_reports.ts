/**
 * Adds indexes for reports and for Today. Reports read payments by payment time, and canceled bookings by their
 * creation time. Today looks for unreached guests only among failed messages and bounced addresses.
 */
export const reports = (schema: string): ReadonlyArray<string> => [
  `create index ledger_entries_done on "${schema}".ledger_entries (org_id, done_at, id) where status = 'done'`,
  `create index bookings_cancelled_made on "${schema}".bookings (org_id, created_at, id) where status = 'cancelled'`,
  `create index messages_failed on "${schema}".messages (org_id, booking_id) where failed_at is not null`,
  `create index conversations_bounced on "${schema}".conversations (org_id, customer_id) where bounced_at is not null`
]
