/**
 * Creates schema version 28. JSON is stored unchanged. As in every storage, text is compared by bytes, regardless of
 * the database's collation.
 */
import { createTables } from "@trailbook/sql/schema/createTables"
import { isolateTable } from "../rowSecurity.ts"

/**
 * The percentage of a page that inserts fill in tables whose rows are updated often. The new version of a row then
 * fits on the same page.
 */
const fillfactors: Readonly<Record<string, number>> = {
  offerings: 70,
  event_counters: 50,
  webhooks: 50,
  subscriptions: 50
}

const sharedTables = new Set(["applications", "passkey_challenges"])

const text = `text collate "C"`

/**
 * Create these indexes before the other indexes on bookings, because the planner picks the oldest among indexes of
 * equal cost.
 */
const placeIndexes = (bookings: string): ReadonlyArray<string> => [
  `create index bookings_of_offering on ${bookings} (org_id, offering_id, starts_at, id)`,
  `create index bookings_in_session on ${bookings} (org_id, session_id, starts_at, id) where session_id is not null`
]

const translate = (schema: string) => (statement: string): ReadonlyArray<string> => {
  const qualified = statement
    .replaceAll(/\b(create table|references|index \w+ on) (\w+)/g, `$1 "${schema}".$2`)
  const table = /^create table (\w+)/.exec(statement)?.[1]
  if (table === undefined) return [qualified]
  const columns = qualified
    .replaceAll(/ text\b/g, ` ${text}`)
    .replaceAll(" integer", " bigint")
    .replaceAll(" real", " double precision")
    .replace("default ''", "default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')")
  const fillfactor = fillfactors[table]
  return [
    fillfactor === undefined ? columns : `${columns} with (fillfactor = ${fillfactor})`,
    ...(table === "bookings" ? placeIndexes(`"${schema}".${table}`) : []),
    ...(sharedTables.has(table) ? [] : isolateTable(schema, table, table === "orgs" ? "id" : "org_id"))
  ]
}

/**
 * Returns a trigger function that adds the changes in these rows to the counts. It does nothing if the table `some` is
 * empty.
 */
const countingFunction = (schema: string, name: string, rows: string, some?: string): string =>
  `create function "${schema}".${name}() returns trigger language plpgsql as $$ begin
      ${some === undefined ? "" : `if not exists (select from ${some}) then return null; end if;`}
      insert into "${schema}".booking_counts as kept (org_id, day, writer, confirmed)
      select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (${rows}) as changed
      group by 1, 2 having sum(one) <> 0
      on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed;
      return null;
    end $$`

const confirmedRows = (rows: string, one: string): string =>
  `select org_id, created_at, ${one} as one from ${rows} where status = 'confirmed'`

export const create = (schema: string): ReadonlyArray<string> => {
  const table = (name: string): string => `"${schema}".${name}`
  const trigger = (name: string, of: string, event: string, transition = ""): string =>
    `create trigger ${name} after ${event} on ${table(of)} ${transition}
      for each statement execute function ${table(name)}()`
  const truncateTrigger = (name: string, derived: string): string =>
    `create function ${table(name)}() returns trigger language plpgsql as $$ begin
      delete from ${table(derived)};
      return null;
    end $$`
  return [
    ...createTables(translate(schema)),

    // A row marks unfinished work in a host's transaction. The row references no existing row, so committing before the
    // work ends fails. The work deletes the row when it ends.
    `create table ${table("hosted_units")} (
      id bigint generated always as identity primary key,
      ended bigint not null constraint await_trailbook_before_commit
        references ${table("hosted_units")} (id) deferrable initially deferred
    )`,

    // The number of confirmed bookings by UTC creation day. Triggers update it once per statement. Each connection
    // updates its own rows, so transactions do not block each other.
    `create table ${table("booking_counts")} (
      org_id ${text} not null references ${table("orgs")} (id),
      day bigint not null,
      writer integer not null,
      confirmed bigint not null,
      primary key (org_id, day, writer)
    ) with (fillfactor = 50)`,
    ...isolateTable(schema, "booking_counts", "org_id"),
    // An upsert fires the triggers of both inserts and updates. The check for empty rows saves the aggregation.
    countingFunction(schema, "bookings_counted", confirmedRows("made", "1"), "made"),
    trigger("bookings_counted", "bookings", "insert", "referencing new table as made"),
    countingFunction(
      schema,
      "bookings_recounted",
      `${confirmedRows("after", "1")} union all ${confirmedRows("before", "-1")}`,
      "after"
    ),
    trigger("bookings_recounted", "bookings", "update", "referencing old table as before new table as after"),
    countingFunction(schema, "bookings_uncounted", confirmedRows("gone", "-1")),
    trigger("bookings_uncounted", "bookings", "delete", "referencing old table as gone"),

    // Truncating a table also deletes the rows that were derived from it.
    truncateTrigger("bookings_emptied", "booking_counts"),
    trigger("bookings_emptied", "bookings", "truncate"),
    truncateTrigger("customers_emptied", "customer_words"),
    trigger("customers_emptied", "customers", "truncate")
  ]
}
