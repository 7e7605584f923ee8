/**
 * Adds indexes for reports and for Today. Reports read payments by payment time, and canceled bookings by their
 * creation time. Today looks for unreached guests only among failed messages and bounced addresses.
 */
import { addStatistics } from "./statistics.ts"

export const reports: ReadonlyArray<string> = [
  "create index ledger_entries_done on ledger_entries (org_id, done_at, id) where status = 'done'",
  `create index bookings_cancelled_made on bookings (org_id, created_at, id) where status = 'cancelled'`,
  "create index messages_failed on messages (org_id, booking_id) where failed_at is not null",
  "create index conversations_bounced on conversations (org_id, customer_id) where bounced_at is not null",
  ...addStatistics([
    ["ledger_entries", "ledger_entries_done", 5e6, 5e3, 1, 1],
    ["ledger_entries", "ledger_entries_listed", 5e6, 5e3, 1, 1],
    ["ledger_entries", "ledger_entries_of_booking", 5e6, 5e3, 1, 1, 1],
    ["bookings", "bookings_cancelled_made", 5e5, 500, 1, 1],
    ["messages", "messages_failed", 1e4, 10, 1],
    ["conversations", "conversations_bounced", 1e4, 10, 1]
  ])
]
