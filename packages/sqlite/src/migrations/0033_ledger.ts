/** Adds the booking ledger, including entries for earlier online payments. */
import { bookingAmounts, ledgerColumns, ledgerRows } from "@trailbook/sql/schema/ledgerMigration"

const table = (name: string): string => name

export const ledger: ReadonlyArray<string> = [
  "alter table bookings add column currency text not null default ''",
  "alter table bookings add column desk_cents integer not null default 0",
  "alter table bookings add column keep_cents integer",
  bookingAmounts(table),
  `create table ledger_entries ${ledgerColumns("bookings", "text", "integer", "text")} strict`,
  ...ledgerRows(table)
]
