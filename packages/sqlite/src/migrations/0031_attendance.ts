/** Adds attendance to bookings, and a token for the QR code of each booking. */
import { addStatistics } from "./statistics.ts"

export const attendance: ReadonlyArray<string> = [
  "alter table bookings add column attendance text not null default '{}'",
  "alter table bookings add column taps_from integer not null default 0",
  "alter table bookings add column check_in_token text not null default ''",
  "update bookings set check_in_token = lower(hex(randomblob(16)))",
  "create unique index bookings_by_check_in_token on bookings (check_in_token)",
  ...addStatistics([["bookings", "bookings_by_check_in_token", 5e6, 1]])
]
