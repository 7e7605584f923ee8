/** Tests that migrations keep the data in a schema that an earlier version created. */
import { assert, it } from "@effect/vitest"
import { BookingStore, computeBalance } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { OrgStore } from "@trailbook/core/org"
import { LedgerStore } from "@trailbook/core/payment"
import { EventLog } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import { layer, migrate } from "@trailbook/postgres"
import { makeMigrations } from "@trailbook/postgres/migrations"
import { newEvent } from "@trailbook/testkit/law/event/endpoints"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { Client } from "pg"
import { keysAcrossOrgs } from "../../sql/test/keysAcrossOrgs.ts"
import { tableDefinitions } from "../../sql/test/tableDefinitions.ts"
import { database } from "./schema.ts"
import { steps, stepsOfNewSchema } from "./steps.ts"

/** The statements of all migrations up to version 23, one per line. */
const schema23 = readFileSync(new URL("./schema23.sql", import.meta.url), "utf8").trim().split("\n")

type Row = Readonly<Record<string, unknown>>

/** Runs statements on one connection and returns each statement's rows. */
const run = (url: string, statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      await client.query("set trailbook.orgs = '*'")
      const results: Array<ReadonlyArray<Row>> = []
      for (const statement of statements) results.push((await client.query<Row>(statement)).rows)
      return results
    } finally {
      await client.end()
    }
  })

const queryRows = (url: string, statement: string) => Effect.map(run(url, [statement]), ([rows = []]) => rows)

/** Creates a schema at an earlier version. */
const createSchema = (url: string, version: number, statements: ReadonlyArray<string>) =>
  run(url, [
    "create schema trailbook",
    "create table trailbook.migrations (number integer primary key, name text not null)",
    ...statements,
    `insert into trailbook.migrations values (${version}, 'last')`
  ])

/** Rows for every table that the steps after version 23 change. */
const rows = [
  `orgs (id, name, slug, timezone, currency, plan, auto_ack, brief_hour, ops_daily_cap, created_at)
    values ('a', 'River', 'a', 'America/Denver', 'usd', 'free', false, 6, 20, 0),
      ('b', 'Lake', 'b', 'America/Denver', 'usd', 'free', false, 6, 20, 0)`,
  `event_counters (org_id, last) values ('a', 6)`,
  `events values ('a', 1, 'org.updated', '{}', null, 0), ('a', 2, 'org.updated', '{}', null, 0),
    ('a', 3, 'booking.held', '{"id":"b1"}', 'c', 3), ('a', 4, 'booking.confirmed', '{"id":"b1"}', 'c', 4),
    ('a', 5, 'booking.confirmed', '{"id":"b1"}', 'c', 5), ('a', 6, 'booking.moved', '{"id":"b1"}', 'c', 6)`,
  `customers (org_id, id, email, name, phone, notes, metadata, created_at)
    values ('a', 'c', 'zoe@example.com', 'Zoë Weiß', '719-555-1200', '', '{}', 1)`,
  `offerings (org_id, id, kind, name, description, location, duration_minutes, capacity, max_per_booking, price_cents,
      buffer_minutes, min_notice_minutes, max_advance_days, max_periods, active, metadata, hours, created_at,
      longest_booking_ms)
    values ('a', 'f', 'class', 'Rafting', '', '', 60, 10, 10, 500, 0, 0, 365, 1, true, '{}', '[]', 1, 3600000)`,
  `bookings (org_id, id, offering_id, customer_id, starts_at, ends_at, period_minutes, periods, quantity, total_cents,
      reference, handle, source, notes, metadata, created_at, paid_at, payment_intent_id, idempotency_key, fingerprint,
      status, payment_due)
    values ('a', 'b1', 'f', 'c', 1, 2, 60, 1, 1, 500, 'r1', 'h1', 'api', '', '{}', 0, 1, 'pi_1', 'k1', '', 'confirmed', false),
      ('a', 'b2', 'f', 'c', 1, 2, 60, 1, 1, 500, 'r2', 'h2', 'api', '', '{}', 0, 1, 'pi_2', 'k2', '', 'confirmed', false)`,
  `payments (org_id, id, booking_id, attempt, provider, cents, currency, description, made_at, expires_at, status, intent,
      paid_at, refund, disputed_at)
    values ('a', 'b1', 'b1', 1, 'host', 500, 'usd', '', 0, 0, 'paid', 'pi_1', 1, 'none', 7),
      ('a', 'b2', 'b2', 1, 'host', 500, 'usd', '', 0, 0, 'paid', 'pi_2', 1, 'none', null)`,
  `conversations (org_id, id, customer_id, words, token, status, subject, last_at, created_at)
    values ('a', 'v', 'c', '', 'token', 'open', 'Boots', 1, 1)`,
  `tasks (org_id, id, kind, lane, subject_id, due_at, attempts) values ('a', 't', 'refund', 'money', 'b1', 5, 1)`,
  `audit (org_id, id, at, by_kind, what, subject, name) values ('a', 'x', 1, 'Application', 'grant.ended', 'app', 'App')`
]

/** Reads a renamed column under its earlier name. */
const renameColumns = (select: string): string => select.replace(`"lane"`, `"queue" as "lane"`)

/**
 * The queries that return all definitions in a schema. Postgres generates constraint names from table and column names.
 */
const definitions = [
  `select table_name, column_name, ordinal_position, data_type, collation_name, is_nullable, column_default, is_identity
    from information_schema.columns where table_schema = 'trailbook' order by 1, 3`,
  `select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) as definition from pg_constraint
    where connamespace = 'trailbook'::regnamespace order by 1, 2`,
  "select indexdef from pg_indexes where schemaname = 'trailbook' order by indexname",
  "select tablename, policyname, permissive, roles::text, cmd, qual, with_check from pg_policies where schemaname = 'trailbook' order by 1",
  `select relname, reloptions, relrowsecurity, relforcerowsecurity from pg_class
    where relnamespace = 'trailbook'::regnamespace order by 1`,
  "select pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by 1",
  "select proname, prosrc from pg_proc where pronamespace = 'trailbook'::regnamespace order by 1"
]

/**
 * Returns a schema's definitions with normalized whitespace, because the version 23 dump has one statement per line.
 */
const schemaOf = (url: string) =>
  Effect.map(
    run(url, definitions),
    (results) => JSON.stringify(results, null, 1).replaceAll(/(\\n| )+/g, " ").split("}, {")
  )

it.scopedLive("a new schema is identical to an upgraded one", () =>
  Effect.gen(function*() {
    const [fresh, upgraded] = [(yield* database("empty")).url, (yield* database("empty")).url]
    yield* createSchema(upgraded, 23, schema23)
    assert.deepStrictEqual(yield* migrate({ url: fresh }), stepsOfNewSchema)
    assert.deepStrictEqual(yield* migrate({ url: upgraded }), steps)
    assert.deepStrictEqual(yield* schemaOf(upgraded), yield* schemaOf(fresh))
  }))

it.scopedLive("an upgrade from version 23 keeps all rows and fills new columns", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    yield* createSchema(url, 23, [...schema23, ...rows.map((row) => `insert into trailbook.${row}`)])
    const tables = yield* queryRows(
      url,
      `select table_name as name, string_agg('"' || column_name || '"', ', ' order by ordinal_position) as columns
        from information_schema.columns
        where table_schema = 'trailbook' and table_name not in ('migrations', 'customer_words') and column_name <> 'words'
        group by 1 order by 1`
    )
    const select = tables.map(({ columns, name }) =>
      `select ${String(columns)} from trailbook.${String(name)} order by 1, 2`
    )
    const before = yield* run(url, select)
    assert.isAbove(before.flat().length, 10)
    assert.deepStrictEqual(yield* migrate({ url }), steps)
    assert.deepStrictEqual(yield* run(url, select.map(renameColumns)), before)
    yield* Effect.gen(function*() {
      const bookings = yield* BookingStore
      const records = yield* bookings.find([{ orgId: "a", id: "b1" }, { orgId: "a", id: "b2" }])
      assert.deepStrictEqual(
        new Map(
          records.map(({ booking: { dispute, id } }) => [id, `${dispute?.status ?? "none"} ${dispute?.at ?? 0}`])
        ),
        new Map([["b1", "open 7"], ["b2", "none 0"]])
      )
      // Booking b1 was held, confirmed, paid for, moved, and disputed. Booking b2 has no events.
      assert.deepStrictEqual(
        new Map<string, ReadonlyArray<number | null>>(
          records.map(({ booking: { confirmedAt, id, updatedAt } }) => [id, [confirmedAt, updatedAt]])
        ),
        new Map([["b1", [4, 7]], ["b2", [0, 0]]])
      )
      // The dispute of b1 withholds its payment.
      assert.deepStrictEqual(
        new Map(records.map(({ booking }) => [booking.id, [booking.currency, computeBalance(booking).paidCents]])),
        new Map([["b1", ["usd", 0]], ["b2", ["usd", 500]]])
      )
      const entries = yield* (yield* LedgerStore).list({ orgId: "a", after: undefined, limit: 10 })
      assert.deepStrictEqual(
        entries.map(({ bookingId, cents, kind, status }) => [bookingId, kind, cents, status]),
        [["b1", "refund", 500, "pending"], ["b2", "payment", 500, "done"], ["b1", "payment", 500, "done"]]
      )
      const always = [{ from: Instant.min, to: Instant.max }]
      assert.deepStrictEqual(yield* bookings.countConfirmed("a", always), [2])
      const { list } = yield* CustomerStore
      const customers = yield* list({ orgId: "a", q: "weiss 7195551200", after: undefined, limit: 10 })
      assert.deepStrictEqual(customers.map(({ id }) => id), ["c"])
      const secrets = (yield* (yield* OrgStore).all).map(({ secret }) => secret)
      for (const secret of secrets) assert.match(secret, /^[0-9a-f]{64}$/)
      assert.lengthOf(new Set(secrets), 2)
      const log = yield* EventLog
      yield* log.append([newEvent("a"), newEvent("b")])
      assert.deepStrictEqual((yield* log.latest("a", 10)).map(({ id }) => id), [1, 2, 3, 4, 5, 6, 7])
      assert.deepStrictEqual((yield* log.latest("b", 10)).map(({ id }) => id), [1])
    }).pipe(Effect.provide(layer({ url })))
    assert.deepStrictEqual(yield* queryRows(url, "select by_id from trailbook.audit"), [{ by_id: "app" }])
    // Truncating the tables also resets the counts and the search index.
    yield* run(url, ["truncate trailbook.bookings, trailbook.customers cascade"])
    assert.deepStrictEqual(
      yield* run(url, ["select from trailbook.booking_counts", "select from trailbook.customer_words"]),
      [[], []]
    )
  }))

it.scopedLive("bookings written by an older server get values in the new columns", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    const [orgs = "", , , customers = "", offerings = "", bookings = ""] = rows
    yield* migrate({ url })
    yield* run(url, [orgs, customers, offerings, bookings].map((row) => `insert into trailbook.${row}`))
    yield* run(url, [
      "update trailbook.bookings set status = 'cancelled', cancelled_at = 0, refund = 'due', refund_at = 0 where id = 'b1'",
      "update trailbook.bookings set status = 'cancelled', cancelled_at = 2 where id = 'b2'"
    ])
    const records = yield* Effect.flatMap(
      BookingStore,
      ({ find }) => find([{ orgId: "a", id: "b1" }, { orgId: "a", id: "b2" }])
    ).pipe(Effect.provide(layer({ url })))
    const stored = records.map(({ booking }) => booking)
    for (const { checkInToken, confirmedAt, updatedAt } of stored) {
      assert.match(checkInToken, /^[0-9a-f]{32}$/)
      assert.deepStrictEqual([confirmedAt, updatedAt], [0, 0])
    }
    assert.deepStrictEqual(
      new Map(stored.map((booking) => [booking.id, [booking.currency, computeBalance(booking).keptCents]])),
      new Map([["b1", ["usd", 0]], ["b2", ["usd", 500]]])
    )
  }))

it.scopedLive("an upgrade from a version after 23 applies only the missing steps", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    const oldStatements = makeMigrations("trailbook").steps.slice(0, 3).flatMap(({ statements }) => statements)
    yield* createSchema(url, 26, [...schema23, ...oldStatements])
    assert.deepStrictEqual(yield* migrate({ url }), steps.slice(steps.indexOf("audit_actors")))
  }))

it.scopedLive("a migration refuses a schema older than version 23", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    yield* createSchema(url, 22, [])
    const { message } = yield* Effect.flip(migrate({ url }))
    assert.match(
      message,
      /schema version 22 is too old.*23 and later\. First run "trailbook migrate" with Trailbook commit 777e0fce/
    )
  }))

const types = {
  text: "text",
  integer: "bigint",
  real: "double precision",
  boolean: "boolean",
  instant: "bigint",
  json: "json"
}

it.scopedLive("the schema contains every column and primary key defined in the code", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const columns = yield* queryRows(
      url,
      `select table_name, column_name, data_type, is_nullable = 'YES' as is_nullable
        from information_schema.columns where table_schema = 'trailbook'`
    )
    const keys = yield* queryRows(
      url,
      `select relname, array(
          select attname::text from unnest(conkey) with ordinality as k(num, at)
          join pg_attribute on attrelid = conrelid and attnum = num order by at
        ) as key
        from pg_constraint join pg_class on pg_class.oid = conrelid
        where contype = 'p' and connamespace = 'trailbook'::regnamespace`
    )
    const columnsByName = new Map(columns.map((row) => [`${String(row.table_name)}.${String(row.column_name)}`, row]))
    const definitions = yield* Effect.promise(tableDefinitions)
    const differences = definitions.flatMap(({ columns, key, name }) => {
      assert.deepStrictEqual(keys.find(({ relname }) => relname === name)?.key, [...key], name)
      return columns.filter(({ column, isNullable, kind }) => {
        const { data_type, is_nullable } = columnsByName.get(`${name}.${column}`) ?? {}
        return data_type !== types[kind] || is_nullable !== isNullable
      }).map(({ column }) => `${name}.${column}`)
    })
    // This column is null in rows whose words have not been indexed yet.
    assert.deepStrictEqual(differences, ["customers.words"])
  }))

it.scopedLive("every unique or foreign key contains the org, except those listed", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const columns = (relation: string, numbers: string) =>
      `array(
        select attname::text from unnest(${numbers}) with ordinality as k(num, at)
        join pg_attribute on attrelid = ${relation} and attnum = num order by at
      )`
    const keyName = (relation: string, numbers: string) =>
      `(select relname from pg_class where oid = ${relation}) || ' (' || array_to_string(${
        columns(relation, numbers)
      }, ', ') || ')'`
    const keys = yield* queryRows(
      url,
      `select distinct ${keyName("indrelid", "indkey::int2[]")} as key
        from pg_index join pg_class on pg_class.oid = indexrelid
        where indisunique and relnamespace = 'trailbook'::regnamespace
          and not 'org_id' = any(${columns("indrelid", "indkey::int2[]")})`
    )
    // The rows of these tables belong to no org.
    const orgless = ["migrations (number)", "hosted_units (id)"]
    assert.sameMembers(keys.map(({ key }) => String(key)), [...Object.keys(keysAcrossOrgs), ...orgless])
    const references = yield* queryRows(
      url,
      `select ${keyName("conrelid", "conkey")} as key from pg_constraint
        where contype = 'f' and connamespace = 'trailbook'::regnamespace
          and not 'org_id' = any(${columns("conrelid", "conkey")})`
    )
    assert.deepStrictEqual(references, [{ key: "hosted_units (ended)" }])
  }))
