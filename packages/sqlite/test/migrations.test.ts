/** Migrations keep the data of a file that an earlier version created. */
import { assert, it } from "@effect/vitest"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { PaymentStore } from "@trailbook/core/payment/PaymentStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import * as Instant from "@trailbook/core/time/Instant"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { layer, migrate } from "@trailbook/sqlite"
import { migrations } from "@trailbook/sqlite/migrations"
import { newEvent } from "@trailbook/testkit/law/endpoints"
import { claimAllFor } from "@trailbook/testkit/law/tasks"
import { newWebhook } from "@trailbook/testkit/law/traces"
import BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import { temporaryFile } from "./temporaryFile.ts"

/** Creates a file with the first `count` migrations, with one org that has two events and one that has none. */
const madeBy = (count: number, filename: string) => {
  const file = new BetterSqlite3(filename)
  file.exec("create table migrations (number integer primary key, name text not null)")
  for (const [at, { name, statements }] of migrations.slice(0, count).entries()) {
    for (const text of statements) file.exec(text)
    file.prepare("insert into migrations values (?, ?)").run(at + 1, name)
  }
  for (const org of ["a", "b"]) {
    file.prepare(
      `insert into orgs (id, name, slug, timezone, currency, plan, auto_ack, brief_hour, ops_daily_cap, created_at)
      values (?, 'River', ?, 'America/Denver', 'usd', 'free', 0, 6, 20, 0)`
    ).run(org, org)
  }
  file.exec(`insert into event_counters (org_id, last) values ('a', 2);
    insert into events values ('a', 1, 'org.updated', '{}', null, 0), ('a', 2, 'org.updated', '{}', null, 0)`)
  file.close()
}

it.scoped("keeps event counters when webhooks are added, and the references of the log", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    madeBy(2, filename)
    assert.deepStrictEqual(yield* migrate({ filename }), migrations.slice(2).map(({ name }) => name))
    yield* Effect.gen(function*() {
      const log = yield* EventLog
      const { add, list } = yield* WebhookStore
      yield* add(newWebhook("a"))
      yield* add(newWebhook("b"))
      assert.lengthOf(yield* list("b"), 1)
      yield* log.append([newEvent("a"), newEvent("b")])
      assert.deepStrictEqual((yield* log.latest("a", 10)).map(({ id }) => id), [1, 2, 3])
      assert.deepStrictEqual((yield* log.latest("b", 10)).map(({ id }) => id), [1])
    }).pipe(Effect.provide(layer({ filename })))

    const file = new BetterSqlite3(filename)
    assert.deepStrictEqual(file.pragma("foreign_key_check"), [])
    assert.throws(() => file.exec("insert into events values ('c', 1, 'org.updated', '{}', null, 0)"), /FOREIGN KEY/)
    const known = file.prepare("select idx from sqlite_stat1").pluck().all()
    const indexes = file.prepare("select name from sqlite_schema where type = 'index' and tbl_name <> 'migrations'")
    for (const index of indexes.pluck().all()) assert.include(known, index)
    file.close()
  }))

/** Data of a version without a search index: guests, and bookings on two days, two thirds of them confirmed. */
const past = `
  insert into customers (org_id, id, email, name, phone, notes, metadata, created_at, erased_at)
    with recursive n(at) as (select 1 union all select at + 1 from n where at < 1201)
    select 'a', 'c' || at, 'guest' || at || '@a.co', 'Zoë Weiß', '719-555-' || at, '', '{}', at, null from n;
  insert into offerings select 'a', 'f', 'class', 'n', '', '', 60, 10, 10, 0, null, 0, 0, 365, 1, 1, '{}', null, null, null, '[]',
    1, null, 3600000;
  insert into bookings
    with recursive n(at) as (select 1 union all select at + 1 from n where at < 30)
    select 'a', 'b' || at, 'f', 'c' || at, null, at, at + 1, 60, 1, 1, 0, 'r' || at, 'h' || at, 'api', '', '{}',
      86400000 * (at % 2), null, null, null, null, null, null, 'k' || at, '', case at % 3 when 0 then 'cancelled' else 'confirmed' end,
      null, 0, null, case at % 3 when 0 then 1 end from n`

const searched = (q: string) =>
  Effect.flatMap(CustomerStore, ({ list }) => list({ orgId: "a", q, after: undefined, limit: 2000 }))

it.scoped("makes guests of an earlier version searchable in any spelling, also after an interruption", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    madeBy(4, filename)
    const file = new BetterSqlite3(filename)
    file.exec(past)
    file.close()
    yield* Effect.gen(function*() {
      assert.lengthOf(yield* searched("weiss ZOE"), 1201)
      assert.deepStrictEqual((yield* searched("7195551200")).map(({ id }) => id), ["c1200"])
    }).pipe(Effect.provide(layer({ filename })))

    // As a process leaves the file that was stopped after indexing some guests.
    const again = new BetterSqlite3(filename)
    again.exec("update customers set words = null where id > 'c5'; delete from customer_words where customer_id > 'c5'")
    again.close()
    yield* Effect.gen(function*() {
      assert.lengthOf(yield* searched("zoe"), 1201)
    }).pipe(Effect.provide(layer({ filename })))
    const whole = new BetterSqlite3(filename)
    assert.strictEqual(whole.prepare("select count(*) from customers where words is null").pluck().get(), 0)
    whole.close()
  }))

it.scoped("counts confirmed bookings of an earlier version", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    madeBy(4, filename)
    const file = new BetterSqlite3(filename)
    file.exec(past)
    file.close()
    yield* Effect.gen(function*() {
      const { countConfirmed } = yield* BookingStore
      const day = 86_400_000
      const spans = [[0, day], [day, 2 * day], [0, 2 * day], [0, 1]].map(([from = 0, to = 0]) => ({
        from: Instant.make(from),
        to: Instant.make(to)
      }))
      assert.deepStrictEqual(yield* countConfirmed("a", spans), [10, 10, 20, 10])
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scoped("moves the outbox of an earlier version to the tasks", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    madeBy(8, filename)
    const file = new BetterSqlite3(filename)
    file.pragma("foreign_keys = off")
    // A failed mail, a claimed mail, and a refund.
    file.exec(
      `insert into outbox (org_id, id, kind, booking_id, due_at, attempts, last_error, fence, lease_until) values
      ('a', 't1', 'mail.confirmed', 'b1', 5, 2, 'full', 2, null), ('a', 't2', 'mail.moved', 'b2', 6, 0, null, 1, 9),
      ('a', 't3', 'refund', 'b3', 7, 0, null, 0, null)`
    )
    file.close()
    assert.deepStrictEqual(yield* migrate({ filename }), migrations.slice(8).map(({ name }) => name))
    const later = new BetterSqlite3(filename)
    later.exec(`insert into tasks (org_id, id, kind, lane, subject_id, due_at, attempts)
      values ('a', 't4', 'of.later', 'own', 's', 0, 0)`)
    later.close()
    yield* Effect.gen(function*() {
      // The last task has a kind of a later version.
      const claims = yield* claimAllFor(0)
      assert.deepStrictEqual(
        claims.map((
          { attempts, fence, id, lane, lastError, subjectId }
        ) => [id, lane, subjectId, attempts, lastError, fence]),
        [
          ["t1", "mail", "b1", 2, "full", 3],
          ["t2", "mail", "b2", 0, null, 2],
          ["t3", "money", "b3", 0, null, 1]
        ]
      )
      const { failing } = yield* TaskStore
      const [failed, ...others] = yield* failing({ orgId: "a", failures: 1, after: undefined, limit: 10 })
      assert.deepStrictEqual([failed?.id, failed?.givenUpAt, others], ["t1", null, []])
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scoped("converts payments of an earlier version to rows with past and pending refunds", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    madeBy(12, filename)
    const file = new BetterSqlite3(filename)
    // Earlier versions did not record the expiry of places.
    file.exec(past.replace("3600000;", "3600000, 0;"))
    file.exec(`update bookings set payment_intent_id = 'pi_' || id, paid_at = case id when 'b9' then null else 2 end
    where id in ('b1', 'b3', 'b6', 'b9', 'b12')`)
    file.exec("update bookings set cancelled_at = 50 where id = 'b12'")
    file.exec(
      "insert into tasks (org_id, id, kind, lane, subject_id, due_at, attempts) values ('a', 't', 'refund', 'money', 'b6', 0, 0)"
    )
    file.close()
    yield* Effect.gen(function*() {
      const { find, ofBookings } = yield* PaymentStore
      const key = (id: string) => ({ orgId: "a", id })
      // In order: kept, kept because it was canceled after its start, refunded, refund due, and refunded because it was
      // paid late.
      const paid = yield* ofBookings(["b1", "b12", "b2", "b3", "b6", "b9"].map(key))
      assert.deepStrictEqual(
        paid.map((payment) => [payment.id, payment.status === "paid" ? payment.refund?.status ?? "kept" : ""]),
        [["b1", "kept"], ["b12", "kept"], ["b3", "done"], ["b6", "due"], ["b9", "done"]]
      )
      const records = yield* (yield* BookingStore).find(["b1", "b3", "b6", "b9"].map(key))
      assert.deepStrictEqual(
        records.map(({ booking: { id, refund } }) => [id, refund?.status, Number(refund?.at ?? 0)]).sort(([a], [b]) =>
          String(a) < String(b) ? -1 : 1
        ),
        [["b1", undefined, 0], ["b3", "done", 1], ["b6", "due", 1], ["b9", "done", 1]]
      )
      // A pending refund names the booking, which leads to the payment.
      const [due] = yield* find([key("b6")])
      assert.deepInclude(due, { bookingId: "b6", intent: "pi_b6", provider: "host", connection: null, currency: "usd" })
    }).pipe(Effect.provide(layer({ filename })))
  }))
