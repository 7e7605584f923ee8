/** Adds the booking ledger, including entries for earlier online payments. */
import { bookingAmounts, ledgerColumns, ledgerRows } from "@trailbook/sql/schema/ledgerMigration"
import { isolateTable } from "../rowSecurity.ts"

export const ledger = (schema: string): ReadonlyArray<string> => {
  const table = (name: string): string => `"${schema}".${name}`
  const text = `text collate "C"`
  return [
    `alter table ${table("bookings")} add column currency ${text} not null default '',
      add column desk_cents bigint not null default 0, add column keep_cents bigint`,
    bookingAmounts(table),
    `create table ${table("ledger_entries")} ${ledgerColumns(table("bookings"), text, "bigint", "json")}`,
    ...ledgerRows(table, (value) => `(${value})::json`),
    ...isolateTable(schema, "ledger_entries", "org_id")
  ]
}
