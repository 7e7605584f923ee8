/**
 * The SQLite schema. Booleans are 0 and 1, and JSON is text. Tables of small rows that are read by key store their rows
 * in the primary key's B-tree. Wide rows would make that tree too deep, so their tables use row IDs instead.
 */
import { createTables } from "@trailbook/sql/schema/createTables"
import type { Migrations } from "@trailbook/sql/schema/migrate"
import { makeSharedStep } from "@trailbook/sql/schema/sharedSteps"
import { initialStatistics, toStatisticsStatements } from "./statistics.ts"

const tablesWithRowIds = new Set([
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
  "proposals",
  "closures",
  "ledger_entries",
  "discounts",
  "assistant_calls"
])

/** Translates a shared statement for SQLite, which can add only one column per statement. */
const translate = (statement: string): ReadonlyArray<string> => {
  const alteration = /^alter table \w+/.exec(statement)?.[0]
  const statements = alteration === undefined
    ? [statement]
    : statement.slice(alteration.length).split(/,\s+(?=add column)/).map((part) => `${alteration} ${part.trim()}`)
  const table = /^create table (\w+)/.exec(statement)?.[1]
  const suffix = table === undefined ? "" : ` strict${tablesWithRowIds.has(table) ? "" : ", without rowid"}`
  return statements.map((text) =>
    text
      .replace(/\b(\w+) boolean(.*?)(,?)$/gm, "$1 integer$2 check ($1 in (0, 1))$3")
      .replaceAll("default false", "default 0")
      .replaceAll("not payment_due", "payment_due = 0")
      .replaceAll(/ json\b/g, " text")
      .replaceAll("json_typeof", "json_type") + suffix
  )
}

/** Returns a trigger statement that adds `change` to the count of confirmed bookings for the row's UTC creation day. */
const makeCountStatement = (row: "new" | "old", change: 1 | -1): string =>
  `insert into booking_counts (org_id, day, confirmed)
    select ${row}.org_id, ${row}.created_at / 86400000, ${change} where ${row}.status = 'confirmed'
    on conflict (org_id, day) do update set confirmed = confirmed + excluded.confirmed;`

const create: ReadonlyArray<string> = [
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
    ${makeCountStatement("new", 1)}
  end`,
  `create trigger bookings_recounted after update of status, created_at on bookings
  when old.status <> new.status or old.created_at <> new.created_at begin
    ${makeCountStatement("old", -1)}
    ${makeCountStatement("new", 1)}
  end`,
  `create trigger bookings_uncounted after delete on bookings when old.status = 'confirmed' begin
    ${makeCountStatement("old", -1)}
  end`,

  ...initialStatistics
]

/**
 * Merges two indexes on sessions' bookings, so that a new booking row changes 18 pages instead of 20. The merged index
 * contains every column that the capacity check reads.
 */
const sessionIndex = {
  name: "session_index",
  statements: [
    "drop index bookings_in_session",
    "drop index bookings_of_session",
    `create index bookings_in_session on bookings (org_id, session_id, starts_at, id, status, expires_at, quantity)
      where session_id is not null`,
    "delete from sqlite_stat1 where idx in ('bookings_in_session', 'bookings_of_session')",
    ...toStatisticsStatements([["bookings", "bookings_in_session", 4e6, 4e3, 8, 8, 1, 1, 1, 1]])
  ]
}

/**
 * Adds the confirmation time and the last change time to each booking. For an existing booking, the times come from its
 * events, or from its creation time if it has no events.
 */
const bookingTimes = {
  name: "booking_times",
  statements: [
    "alter table bookings add column confirmed_at integer",
    "alter table bookings add column updated_at integer not null default 0",
    `update bookings set updated_at = max(created_at, coalesce(cancelled_at, 0), coalesce(refund_at, 0),
        coalesce(disputed_at, 0)), confirmed_at = case when status = 'confirmed' then created_at end`,
    `update bookings set confirmed_at = coalesce(told.confirmed_at, bookings.confirmed_at),
        updated_at = max(bookings.updated_at, told.at)
      from (
        select org_id, json_extract(data, '$.id') as id, max(created_at) as at,
          min(case when type = 'booking.confirmed' then created_at end) as confirmed_at
        from events where type in ('booking.held', 'booking.confirmed', 'booking.moved', 'booking.cancelled')
        group by 1, 2
      ) as told
      where told.org_id = bookings.org_id and told.id = bookings.id`
  ]
}

const sharedStep = makeSharedStep(translate)

export const migrations: Migrations = {
  create,
  createdVersion: 28,
  oldestVersion: 23,
  steps: [
    sharedStep("message_notices"),
    sharedStep(
      "unproven",
      "update orgs set secret = lower(hex(randomblob(32)))",
      ...toStatisticsStatements([
        ["bookings", "bookings_of_network", 1e4, 10, 2, 1],
        ["bookings", "bookings_unproven", 1e6, 1000, 50, 2],
        ["bookings", "bookings_networks_old", 1e4, 1, 1, 1]
      ])
    ),
    sharedStep("refusals"),
    sharedStep("audit_actors"),
    sharedStep("units"),
    sessionIndex,
    bookingTimes,
    sharedStep(
      "attendance",
      "alter table bookings add column check_in_token text not null default ''",
      "update bookings set check_in_token = lower(hex(randomblob(16)))",
      "create unique index bookings_by_check_in_token on bookings (check_in_token)",
      ...toStatisticsStatements([["bookings", "bookings_by_check_in_token", 5e6, 1]])
    ),
    sharedStep(
      "schedule",
      ...toStatisticsStatements([
        ["closures", "sqlite_autoindex_closures_1", 2e4, 20, 1],
        ["closures", "closures_ending", 2e4, 20, 1]
      ])
    ),
    sharedStep("ledger"),
    sharedStep("prices"),
    { name: "oldest_server", statements: ["alter table migrations add column oldest_server integer"] },
    { ...sharedStep("photos", "alter table orgs add column phone text"), oldestServer: 35 },
    sharedStep("policies"),
    { ...sharedStep("changes"), oldestServer: 37 },
    {
      ...sharedStep(
        "reports",
        ...toStatisticsStatements([
          ["ledger_entries", "ledger_entries_done", 5e6, 5e3, 1, 1],
          ["ledger_entries", "ledger_entries_listed", 5e6, 5e3, 1, 1],
          ["ledger_entries", "ledger_entries_of_booking", 5e6, 5e3, 1, 1, 1],
          ["bookings", "bookings_cancelled_made", 5e5, 500, 1, 1],
          ["messages", "messages_failed", 1e4, 10, 1],
          ["conversations", "conversations_bounced", 1e4, 10, 1]
        ])
      ),
      oldestServer: 37
    },
    {
      ...sharedStep(
        "discounts",
        `create index bookings_of_discount on bookings (org_id, json_extract(price, '$.terms.discount.id'))
          where json_extract(price, '$.terms.discount.id') is not null`,
        ...toStatisticsStatements([
          ["discounts", "sqlite_autoindex_discounts_1", 2e4, 20, 1],
          ["discounts", "sqlite_autoindex_discounts_2", 2e4, 20, 1],
          ["discounts", "discounts_listed", 2e4, 20, 1, 1],
          ["bookings", "bookings_of_discount", 5e5, 500, 25]
        ])
      ),
      oldestServer: 37
    },
    sharedStep("refunds"),
    {
      ...sharedStep(
        "assistant_calls",
        ...toStatisticsStatements([
          ["assistant_calls", "sqlite_autoindex_assistant_calls_1", 1e6, 1e3, 1],
          ["assistant_calls", "assistant_calls_by_time", 1e6, 1e3, 1, 1],
          ["assistant_calls", "assistant_calls_over", 1e6, 1]
        ])
      ),
      oldestServer: 41
    },
    { ...sharedStep("staff_refunds"), oldestServer: 41 },
    sharedStep("task_queues")
  ]
}
