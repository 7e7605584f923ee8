/**
 * Creates a database with schema version 28. Booleans are 0 and 1, and JSON is text. Small rows that are read by key
 * are stored in the key's tree. Wide rows have row IDs instead, because they would make that tree too deep.
 */
import { createTables } from "@trailbook/sql/schema/createTables"
import { initialStatistics } from "./statistics.ts"

const wideTables = new Set([
  "offerings",
  "customers",
  "bookings",
  "events",
  "webhooks",
  "conversations",
  "messages",
  "saved_replies",
  "broadcasts",
  "files",
  "payments",
  "payment_connections",
  "proposals"
])

const translate = (statement: string): string => {
  const table = /^create table (\w+)/.exec(statement)?.[1]
  if (table === undefined) return statement
  const columns = statement
    .replace(/\b(\w+) boolean(.*?)(,?)$/gm, "$1 integer$2 check ($1 in (0, 1))$3")
    .replaceAll("default false", "default 0")
    .replaceAll("not payment_due", "payment_due = 0")
    .replaceAll(" json ", " text ")
    .replaceAll("json_typeof", "json_type")
  return `${columns} strict${wideTables.has(table) ? "" : ", without rowid"}`
}

/** Returns a statement that adds a number to the count of confirmed bookings that were created on the same UTC day. */
const count = (row: "new" | "old", change: 1 | -1): string =>
  `insert into booking_counts (org_id, day, confirmed)
    select ${row}.org_id, ${row}.created_at / 86400000, ${change} where ${row}.status = 'confirmed'
    on conflict (org_id, day) do update set confirmed = confirmed + excluded.confirmed;`

export const create: ReadonlyArray<string> = [
  ...createTables(translate),

  // The capacity check reads only these two indexes, because they contain every column that it needs.
  `create index bookings_of_offering on bookings
    (org_id, offering_id, starts_at, id, status, ends_at, expires_at, quantity)`,
  `create index bookings_in_session on bookings (org_id, session_id, status, expires_at, quantity, id)
    where session_id is not null`,
  "create index bookings_of_session on bookings (org_id, session_id, starts_at, id) where session_id is not null",

  `create table booking_counts (
    org_id text not null references orgs (id),
    day integer not null,
    confirmed integer not null,
    primary key (org_id, day)
  ) strict, without rowid`,
  `create trigger bookings_counted after insert on bookings when new.status = 'confirmed' begin
    ${count("new", 1)}
  end`,
  `create trigger bookings_recounted after update of status, created_at on bookings
  when old.status <> new.status or old.created_at <> new.created_at begin
    ${count("old", -1)}
    ${count("new", 1)}
  end`,
  `create trigger bookings_uncounted after delete on bookings when old.status = 'confirmed' begin
    ${count("old", -1)}
  end`,

  ...initialStatistics
]
