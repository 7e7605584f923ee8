/** Tests that migrations preserve the data in a file that an earlier version created. */
import { assert, it } from "@effect/vitest"
import { BookingStore, computeBalance } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { OrgStore } from "@trailbook/core/org"
import { LedgerStore } from "@trailbook/core/payment"
import { EventLog } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import { layer, migrate } from "@trailbook/sqlite"
import { migrations } from "@trailbook/sqlite/migrations"
import { newEvent } from "@trailbook/testkit/law/event/endpoints"
import BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { keysAcrossOrgs } from "../../sql/test/keysAcrossOrgs.ts"
import { tableDefinitions } from "../../sql/test/tableDefinitions.ts"
import { steps, stepsOfNewSchema } from "./steps.ts"
import { temporaryFile } from "./temporaryFile.ts"

/** The statements of the migrations up to version 23, one per line. */
const schema23 = readFileSync(new URL("./schema23.sql", import.meta.url), "utf8").trim().split("\n")

type Row = Readonly<Record<string, unknown>>

const using = <A>(filename: string, use: (file: BetterSqlite3.Database) => A): A => {
  const file = new BetterSqlite3(filename)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

const query = (file: BetterSqlite3.Database, text: string, ...values: ReadonlyArray<unknown>) =>
  file.prepare<Array<unknown>, Row>(text).all(...values)

/** Creates a file at an earlier schema version. */
const createFile = (filename: string, version: number, statements: ReadonlyArray<string>) =>
  using(filename, (file) => {
    file.exec("create table migrations (number integer primary key, name text not null)")
    for (const statement of statements) file.exec(statement)
    file.prepare("insert into migrations values (?, 'last')").run(version)
  })

/** Rows for every table that the steps after version 23 change. */
const rows = [
  `orgs (id, name, slug, timezone, currency, plan, auto_ack, brief_hour, ops_daily_cap, created_at)
    values ('a', 'River', 'a', 'America/Denver', 'usd', 'free', 0, 6, 20, 0),
      ('b', 'Lake', 'b', 'America/Denver', 'usd', 'free', 0, 6, 20, 0)`,
  `event_counters (org_id, last) values ('a', 6)`,
  `events values ('a', 1, 'org.updated', '{}', null, 0), ('a', 2, 'org.updated', '{}', null, 0),
    ('a', 3, 'booking.held', '{"id":"b1"}', 'c', 3), ('a', 4, 'booking.confirmed', '{"id":"b1"}', 'c', 4),
    ('a', 5, 'booking.confirmed', '{"id":"b1"}', 'c', 5), ('a', 6, 'booking.moved', '{"id":"b1"}', 'c', 6)`,
  `customers (org_id, id, email, name, phone, notes, metadata, created_at)
    values ('a', 'c', 'zoe@example.com', 'Zoë Weiß', '719-555-1200', '', '{}', 1)`,
  `offerings (org_id, id, kind, name, description, location, duration_minutes, capacity, max_per_booking, price_cents,
      buffer_minutes, min_notice_minutes, max_advance_days, max_periods, active, metadata, hours, created_at,
      longest_booking_ms)
    values ('a', 'f', 'class', 'Rafting', '', '', 60, 10, 10, 500, 0, 0, 365, 1, 1, '{}', '[]', 1, 3600000)`,
  `bookings (org_id, id, offering_id, customer_id, starts_at, ends_at, period_minutes, periods, quantity, total_cents,
      reference, handle, source, notes, metadata, created_at, paid_at, payment_intent_id, idempotency_key, fingerprint,
      status, payment_due)
    values ('a', 'b1', 'f', 'c', 1, 2, 60, 1, 1, 500, 'r1', 'h1', 'api', '', '{}', 0, 1, 'pi_1', 'k1', '', 'confirmed', 0),
      ('a', 'b2', 'f', 'c', 1, 2, 60, 1, 1, 500, 'r2', 'h2', 'api', '', '{}', 0, 1, 'pi_2', 'k2', '', 'confirmed', 0)`,
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

const tablesOf = (file: BetterSqlite3.Database) =>
  query(file, "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .map(({ name }) => String(name)).filter((name) => name !== "migrations")

/** Splits a list of SQL items at the commas outside parentheses, and sorts the items. */
const itemsOf = (list: string) => {
  let depth = 0
  const characters = [...list].map((letter) => {
    if (letter === "(") depth++
    if (letter === ")") depth--
    return letter === "," && depth === 0 ? "\n" : letter
  })
  return characters.join("").split("\n").map((item) => item.trim()).sort()
}

/** Returns the definition of the schema: tables with column order, checks, indexes, triggers, and statistics. */
const schemaOf = (filename: string) =>
  using(filename, (file) => ({
    columns: tablesOf(file).map((name) => [name, query(file, `pragma table_info(${name})`)]),
    objects: query(file, "select name, sql from sqlite_schema where sql is not null order by name").map(
      ({ name, sql }) => {
        const text = String(sql).replaceAll(/\s+/g, " ").replaceAll("\"", "").replace(/^CREATE [A-Z ]+/, "")
        const open = text.indexOf("(")
        const close = text.lastIndexOf(")")
        return text.startsWith("bookings_") || open < 0
          ? [name, text]
          : [name, text.slice(0, open), itemsOf(text.slice(open + 1, close)), text.slice(close)]
      }
    ),
    statistics: query(file, "select * from sqlite_stat1 order by tbl, idx")
  }))

it.scoped("a new file has the same schema as an upgraded one", () =>
  Effect.gen(function*() {
    const [fresh, upgraded] = [yield* temporaryFile, yield* temporaryFile]
    createFile(upgraded, 23, schema23)
    assert.deepStrictEqual(yield* migrate({ filename: fresh }), stepsOfNewSchema)
    assert.deepStrictEqual(yield* migrate({ filename: upgraded }), steps)
    assert.deepStrictEqual(schemaOf(upgraded), schemaOf(fresh))
    assert.deepStrictEqual(yield* migrate({ filename: fresh }), [])
  }))

it.scoped("an upgrade from version 23 keeps all rows and fills new columns", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    createFile(filename, 23, [...schema23, ...rows.map((row) => `insert into ${row}`)])
    const select = using(
      filename,
      (file) =>
        tablesOf(file).filter((table) => table !== "customer_words").map((table) => {
          const columns = query(file, `pragma table_info(${table})`).map(({ name }) => `"${String(name)}"`)
          return `select ${columns.filter((name) => name !== `"words"`).join(", ")} from ${table}`
        })
    )
    const content = (queries: ReadonlyArray<string>) =>
      using(filename, (file) => queries.map((text) => query(file, text)))
    const before = content(select)
    assert.isAbove(before.flat().length, 10)
    assert.deepStrictEqual(yield* migrate({ filename }), steps)
    assert.deepStrictEqual(content(select.map(renameColumns)), before)
    yield* Effect.gen(function*() {
      const bookings = yield* BookingStore
      const records = yield* bookings.find([{ orgId: "a", id: "b1" }, { orgId: "a", id: "b2" }])
      assert.deepStrictEqual(
        new Map(
          records.map(({ booking: { dispute, id } }) => [id, `${dispute?.status ?? "none"} ${dispute?.at ?? 0}`])
        ),
        new Map([["b1", "open 7"], ["b2", "none 0"]])
      )
      // Booking b1 was held, confirmed, paid, moved, and disputed. Booking b2 has no events.
      assert.deepStrictEqual(
        new Map<string, ReadonlyArray<number | null>>(
          records.map(({ booking: { confirmedAt, id, updatedAt } }) => [id, [confirmedAt, updatedAt]])
        ),
        new Map([["b1", [4, 7]], ["b2", [0, 0]]])
      )
      // The dispute withholds the payment for b1.
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
    }).pipe(Effect.provide(layer({ filename })))
    using(filename, (file) => {
      assert.deepStrictEqual(file.pragma("foreign_key_check"), [])
      assert.deepStrictEqual(query(file, "select by_id from audit"), [{ by_id: "app" }])
    })
  }))

it.scoped("an upgrade from a version after 23 applies only the missing steps", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    createFile(filename, 26, [...schema23, ...migrations.steps.slice(0, 3).flatMap(({ statements }) => statements)])
    assert.deepStrictEqual(yield* migrate({ filename }), steps.slice(3))
  }))

it.scoped("a migration refuses a file older than version 23", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    createFile(filename, 22, schema23)
    const { message } = yield* Effect.flip(migrate({ filename }))
    assert.match(
      message,
      /schema version 22 is too old.*23 and later\. First run "trailbook migrate" with Trailbook commit 777e0fce/
    )
  }))

const types = { text: "TEXT", integer: "INTEGER", real: "REAL", boolean: "INTEGER", instant: "INTEGER", json: "TEXT" }

it.scoped("the schema contains every column and primary key defined in the code", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* migrate({ filename })
    const definitions = yield* Effect.promise(tableDefinitions)
    using(filename, (file) => {
      const differences = definitions.flatMap(({ columns, key, name }) => {
        const infos = new Map(
          query(file, `pragma table_info(${name})`).map(({ name, notnull, pk, type }) => [name, { notnull, pk, type }])
        )
        const primary = [...infos].filter(([, { pk }]) => pk !== 0).sort(([, a], [, b]) => Number(a.pk) - Number(b.pk))
        assert.deepStrictEqual(primary.map(([column]) => column), [...key], name)
        return columns.filter(({ column, isNullable, kind }) => {
          const { notnull, pk, type } = infos.get(column) ?? {}
          // SQLite does not report a single-column primary key as not null.
          return type !== types[kind] || isNullable !== (notnull === 0 && pk === 0)
        }).map(({ column }) => `${name}.${column}`)
      })
      // This column is null in rows whose words are not indexed yet.
      assert.deepStrictEqual(differences, ["customers.words"])
    })
  }))

it.scoped("every unique or foreign key contains the org, except those listed", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* migrate({ filename })
    using(filename, (file) => {
      const keys = tablesOf(file).flatMap((table) => {
        const primary = query(file, `pragma table_info(${table})`).filter(({ pk }) => pk !== 0)
        const unique = query(file, `pragma index_list(${table})`).filter((index) => index.unique === 1)
        return [
          primary.map(({ name }) => String(name)),
          ...unique.map(({ name }) => query(file, `pragma index_info(${String(name)})`).map(({ name }) => String(name)))
        ].filter((columns) => !columns.includes("org_id")).map((columns) => `${table} (${columns.join(", ")})`)
      })
      assert.sameMembers([...new Set(keys)], Object.keys(keysAcrossOrgs))
      const references = tablesOf(file).flatMap((table) => {
        const rows = query(file, `pragma foreign_key_list(${table})`)
        const withOrg = new Set(rows.filter(({ from }) => from === "org_id").map(({ id }) => id))
        return rows.filter(({ id }) => !withOrg.has(id)).map(({ from }) => `${table}.${String(from)}`)
      })
      assert.deepStrictEqual(references, [])
    })
  }))
