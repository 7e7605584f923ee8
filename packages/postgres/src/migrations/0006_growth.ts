/**
 * What keeps a list, a search and a count as quick after years as they were at
 * first.
 *
 * `customers.words` holds the words that find a guest, `customer_words` a row for
 * each; both are written by the program, for no function that every Postgres has
 * takes the accents off a letter. A row that was there before has none until the
 * program has read it.
 *
 * `booking_counts` holds how many bookings made on a day of UTC are confirmed.
 * Triggers keep it, so whatever changes a booking changes it in the same unit of
 * work. They see a statement and not a row: a day changes once, however many
 * bookings do. Each connection adds to rows of its own, so no unit of work waits
 * for another here: one may take long to end, where a rule of the program is asked.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

/** A function that adds up what the given rows change; with `some`, where that is one of them. */
export const counting = (schema: string, name: string, rows: string, some?: string): string =>
  `create or replace function "${schema}".${name}() returns trigger language plpgsql as $$ begin
      ${some === undefined ? "" : `if not exists (select from ${some}) then return null; end if;`}
      insert into "${schema}".booking_counts as kept (org_id, day, writer, confirmed)
      select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (${rows}) as changed
      group by 1, 2 having sum(one) <> 0
      on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed;
      return null;
    end $$`

const confirmed = (rows: string, one: string): string =>
  `select org_id, created_at, ${one} as one from ${rows} where status = 'confirmed'`

/** The confirmed bookings among those that were made, and what a change of bookings adds. */
export const made = confirmed("made", "1")
export const recounted = `${confirmed("after", "1")} union all ${confirmed("before", "-1")}`

export const growth = (schema: string): ReadonlyArray<string> => {
  const table = (name: string): string => `"${schema}".${name}`
  const counts = table("booking_counts")

  const counted = (name: string, event: string, transition: string): string =>
    `create trigger ${name} after ${event} on ${table("bookings")} ${transition}
      for each statement execute function ${table(name)}()`

  return [
    `alter table ${table("customers")} add column words ${text}`,
    `create index customers_unread on ${table("customers")} (org_id, id) where words is null`,
    `create table ${table("customer_words")} (
      org_id ${text} not null,
      word ${text} not null,
      customer_id ${text} not null,
      primary key (org_id, word, customer_id)
    )`,
    ...isolateTable(schema, "customer_words", "org_id"),

    // Few bookings are held or cancelled: among all of an org's they would be searched for. With its status in the index a
    // booking that is passed over is not read.
    `drop index ${table("bookings_listed")}`,
    `create index bookings_listed on ${table("bookings")} (org_id, starts_at, id, status)`,
    `create index bookings_held on ${table("bookings")} (org_id, starts_at, id) where status = 'held'`,
    `create index bookings_cancelled on ${table("bookings")} (org_id, starts_at, id) where status = 'cancelled'`,
    `create index bookings_cancelled_of_offering on ${table("bookings")} (org_id, offering_id, starts_at, id)
      where status = 'cancelled'`,

    // A day's row changes with every batch of it: room on its page keeps what is written of that in place.
    `create table ${counts} (
      org_id ${text} not null references ${table("orgs")} (id),
      day bigint not null,
      writer integer not null,
      confirmed bigint not null,
      primary key (org_id, day, writer)
    ) with (fillfactor = 50)`,
    ...isolateTable(schema, "booking_counts", "org_id"),
    `insert into ${counts} (org_id, day, writer, confirmed)
      select org_id, created_at / 86400000, 0, count(*) from ${
      table("bookings")
    } where status = 'confirmed' group by 1, 2`,
    counting(schema, "bookings_counted", made),
    counted("bookings_counted", "insert", "referencing new table as made"),
    counting(schema, "bookings_recounted", recounted),
    counted("bookings_recounted", "update", "referencing old table as before new table as after"),
    counting(schema, "bookings_uncounted", confirmed("gone", "-1")),
    counted("bookings_uncounted", "delete", "referencing old table as gone"),

    // Emptied tables leave nothing behind that was made from them.
    `create function ${table("bookings_emptied")}() returns trigger language plpgsql as $$ begin
      delete from ${counts};
      return null;
    end $$`,
    counted("bookings_emptied", "truncate", ""),
    `create function ${table("customers_emptied")}() returns trigger language plpgsql as $$ begin
      delete from ${table("customer_words")};
      return null;
    end $$`,
    `create trigger customers_emptied after truncate on ${table("customers")}
      for each statement execute function ${table("customers_emptied")}()`
  ]
}
