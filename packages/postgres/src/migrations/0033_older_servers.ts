/**
 * Completes the bookings that an older server writes during a rolling upgrade. The function sets their times, QR code
 * token, and ledger amounts. Servers of this version always write these columns, so their rows do not call the
 * function.
 */
import { bookingAmounts, keptBefore } from "@trailbook/sql/schema/ledgerMigration"
import { newCheckInToken } from "./0030_attendance.ts"

export const olderServers = (schema: string): ReadonlyArray<string> => {
  const table = (name: string): string => `"${schema}".${name}`
  const bookings = table("bookings")
  return [
    `alter table ${bookings} alter column check_in_token set default ${newCheckInToken}`,
    `${bookingAmounts(table)} where currency = '' or (status = 'cancelled' and keep_cents is null)`,
    `create function ${table("complete_booking")}() returns trigger language plpgsql as $$ begin
      if new.updated_at is null then
        new.updated_at := new.created_at;
      end if;
      if new.status = 'confirmed' and new.confirmed_at is null then
        new.confirmed_at := new.created_at;
      end if;
      if new.currency = '' then
        new.currency := (select o.currency from ${table("orgs")} o where o.id = new.org_id);
      end if;
      if new.keep_cents is null then
        new.keep_cents := ${keptBefore("new.")};
      end if;
      return new;
    end $$`,
    `create trigger bookings_completed before insert or update on ${bookings} for each row
      when (
        new.currency = '' or new.updated_at is null or (new.status = 'confirmed' and new.confirmed_at is null)
        or (new.status = 'cancelled' and new.keep_cents is null)
      )
      execute function ${table("complete_booking")}()`
  ]
}
