/**
 * The schema on Postgres. JSON is stored unchanged. Text is compared byte by byte, as in every storage adapter,
 * regardless of the database's collation.
 */
import { createTables } from "@trailbook/sql/schema/createTables"
import type { Migrations } from "@trailbook/sql/schema/migrate"
import { backfillBookingAmounts, keptAmountExpression, makeSharedStep } from "@trailbook/sql/schema/sharedSteps"
import { toRowSecurityStatements } from "./rowSecurity.ts"

/**
 * The fill factor: the percentage up to which inserts may fill each page. These tables are updated often, and the free
 * space lets a row's new version fit on the same page.
 */
const fillfactors: Readonly<Record<string, number>> = {
  offerings: 70,
  event_counters: 50,
  webhooks: 50,
  subscriptions: 50
}

const tablesAcrossOrgs = new Set(["applications", "passkey_challenges"])

const text = `text collate "C"`

/**
 * Create these indexes before the other indexes on bookings, because the planner picks the oldest among indexes of
 * equal cost.
 */
const placeIndexes = (bookings: string): ReadonlyArray<string> => [
  `create index bookings_of_offering on ${bookings} (org_id, offering_id, starts_at, id)`,
  `create index bookings_in_session on ${bookings} (org_id, session_id, starts_at, id) where session_id is not null`
]

/** The default is volatile, so Postgres evaluates it for each row and each org gets its own secret. */
const newSecret = "replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')"

const qualify = (schema: string, statement: string): string =>
  statement.replaceAll(
    /\b((?:create|alter) table|references|index \w+ on|update|insert into|from) (\w+)/g,
    `$1 "${schema}".$2`
  )

const translate = (schema: string) => (statement: string): ReadonlyArray<string> => {
  const columns = qualify(schema, statement)
    .replaceAll(/ text\b/g, ` ${text}`)
    .replaceAll(" integer", " bigint")
    .replaceAll(" real", " double precision")
    .replace(`secret ${text} not null default ''`, `secret ${text} not null default ${newSecret}`)
  const table = /^create table (\w+)/.exec(statement)?.[1]
  if (table === undefined) return [columns]
  const fillfactor = fillfactors[table]
  return [
    fillfactor === undefined ? columns : `${columns} with (fillfactor = ${fillfactor})`,
    ...(table === "bookings" ? placeIndexes(`"${schema}".${table}`) : []),
    ...(tablesAcrossOrgs.has(table) ? [] : toRowSecurityStatements(schema, table, table === "orgs" ? "id" : "org_id"))
  ]
}

/**
 * Returns the statement for a trigger function that adds the changes in `rows` to the counts. The function does nothing
 * if the table `changedTable` is empty.
 */
const makeCountingFunction = (schema: string, name: string, rows: string, changedTable?: string): string =>
  `create function "${schema}".${name}() returns trigger language plpgsql as $$ begin
      ${changedTable === undefined ? "" : `if not exists (select from ${changedTable}) then return null; end if;`}
      insert into "${schema}".booking_counts as kept (org_id, day, writer, confirmed)
      select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (${rows}) as changed
      group by 1, 2 having sum(one) <> 0
      on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed;
      return null;
    end $$`

const confirmedRows = (rows: string, weight: string): string =>
  `select org_id, created_at, ${weight} as one from ${rows} where status = 'confirmed'`

const create = (schema: string): ReadonlyArray<string> => {
  const table = (name: string): string => `"${schema}".${name}`
  const trigger = (name: string, target: string, event: string, transition = ""): string =>
    `create trigger ${name} after ${event} on ${table(target)} ${transition}
      for each statement execute function ${table(name)}()`
  const truncateTrigger = (name: string, target: string): string =>
    `create function ${table(name)}() returns trigger language plpgsql as $$ begin
      delete from ${table(target)};
      return null;
    end $$`
  return [
    ...createTables(translate(schema)),

    // Each row marks unfinished work in a host's transaction. Its foreign key is invalid, so an early commit fails.
    // When the work ends, it deletes the row.
    `create table ${table("hosted_units")} (
      id bigint generated always as identity primary key,
      ended bigint not null constraint await_trailbook_before_commit
        references ${table("hosted_units")} (id) deferrable initially deferred
    )`,

    // The number of confirmed bookings per UTC creation day. Triggers update the counts once per statement. Each
    // connection updates its own rows, so transactions do not block each other.
    `create table ${table("booking_counts")} (
      org_id ${text} not null references ${table("orgs")} (id),
      day bigint not null,
      writer integer not null,
      confirmed bigint not null,
      primary key (org_id, day, writer)
    ) with (fillfactor = 50)`,
    ...toRowSecurityStatements(schema, "booking_counts", "org_id"),
    // An upsert fires the insert trigger and the update trigger. If a trigger receives no rows, its function skips the
    // aggregation.
    makeCountingFunction(schema, "bookings_counted", confirmedRows("made", "1"), "made"),
    trigger("bookings_counted", "bookings", "insert", "referencing new table as made"),
    makeCountingFunction(
      schema,
      "bookings_recounted",
      `${confirmedRows("after", "1")} union all ${confirmedRows("before", "-1")}`,
      "after"
    ),
    trigger("bookings_recounted", "bookings", "update", "referencing old table as before new table as after"),
    makeCountingFunction(schema, "bookings_uncounted", confirmedRows("gone", "-1")),
    trigger("bookings_uncounted", "bookings", "delete", "referencing old table as gone"),

    // Truncating a table also deletes the rows derived from it.
    truncateTrigger("bookings_emptied", "booking_counts"),
    trigger("bookings_emptied", "bookings", "truncate"),
    truncateTrigger("customers_emptied", "customer_words"),
    trigger("customers_emptied", "customers", "truncate")
  ]
}

/**
 * Adds the confirmation time and the last change time to each booking. The times of an existing booking come from its
 * events, or from its creation time if it has none.
 */
const bookingTimes = (table: (name: string) => string): ReadonlyArray<string> => [
  `alter table ${table("bookings")} add column confirmed_at bigint, add column updated_at bigint`,
  `update ${table("bookings")} as b set
      confirmed_at = coalesce(told.confirmed_at, case when b.status = 'confirmed' then b.created_at end),
      updated_at = greatest(b.created_at, b.cancelled_at, b.refund_at, b.disputed_at, told.at)
    from ${table("bookings")} as own left join (
      select org_id, data ->> 'id' as id, max(created_at) as at,
        min(created_at) filter (where type = 'booking.confirmed') as confirmed_at
      from ${table("events")}
      where type in ('booking.held', 'booking.confirmed', 'booking.moved', 'booking.cancelled') group by 1, 2
    ) as told on told.org_id = own.org_id and told.id = own.id
    where own.org_id = b.org_id and own.id = b.id`,
  `alter table ${table("bookings")} alter column updated_at set not null`
]

/**
 * The token for a booking's QR code. The default is volatile, so Postgres evaluates it for each existing row. For a new
 * row, the server generates the token.
 */
const newCheckInToken = "left(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex'), 32)"

const checkInTokens = (bookings: string): ReadonlyArray<string> => [
  `alter table ${bookings} add column check_in_token ${text} not null default ${newCheckInToken}`,
  `alter table ${bookings} alter column check_in_token drop default`,
  `create unique index bookings_by_check_in_token on ${bookings} (check_in_token)`
]

/**
 * Completes the bookings that an older server writes during a rolling upgrade. The function sets their times, QR code
 * token, and ledger amounts. Servers of this version always write these columns, so their rows never trigger the
 * function.
 */
const olderServers = (schema: string, table: (name: string) => string): ReadonlyArray<string> => [
  `alter table ${table("bookings")} alter column check_in_token set default ${newCheckInToken}`,
  `${qualify(schema, backfillBookingAmounts)} where currency = '' or (status = 'cancelled' and keep_cents is null)`,
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
        new.keep_cents := ${keptAmountExpression("new.")};
      end if;
      return new;
    end $$`,
  `create trigger bookings_completed before insert or update on ${table("bookings")} for each row
      when (
        new.currency = '' or new.updated_at is null or (new.status = 'confirmed' and new.confirmed_at is null)
        or (new.status = 'cancelled' and new.keep_cents is null)
      )
      execute function ${table("complete_booking")}()`
]

export const makeMigrations = (schema: string): Migrations => {
  const table = (name: string): string => `"${schema}".${name}`
  const sharedStep = makeSharedStep(translate(schema))
  return {
    create: create(schema),
    createdVersion: 28,
    oldestVersion: 23,
    steps: [
      sharedStep("message_notices"),
      sharedStep("unproven"),
      sharedStep("refusals"),
      sharedStep("audit_actors"),
      sharedStep("units"),
      { name: "booking_times", statements: bookingTimes(table) },
      sharedStep("attendance", ...checkInTokens(table("bookings"))),
      sharedStep("schedule"),
      sharedStep("ledger"),
      { name: "older_servers", statements: olderServers(schema, table) },
      sharedStep("prices"),
      { name: "oldest_server", statements: [`alter table ${table("migrations")} add column oldest_server integer`] },
      { ...sharedStep("photos", `alter table ${table("orgs")} add column phone text`), oldestServer: 35 },
      sharedStep("policies"),
      { ...sharedStep("changes"), oldestServer: 37 },
      { ...sharedStep("reports"), oldestServer: 37 },
      {
        ...sharedStep(
          "discounts",
          `create index bookings_of_discount on ${table("bookings")} (org_id, (price #>> '{terms,discount,id}'))
            where price #>> '{terms,discount,id}' is not null`
        ),
        oldestServer: 37
      },
      sharedStep("refunds"),
      { ...sharedStep("assistant_calls"), oldestServer: 41 },
      { ...sharedStep("staff_refunds"), oldestServer: 41 },
      sharedStep("task_queues")
    ]
  }
}
