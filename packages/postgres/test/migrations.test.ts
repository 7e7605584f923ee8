/** Migrations keep the data of a schema that an earlier version created. */
import { assert, it } from "@effect/vitest"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { PaymentStore } from "@trailbook/core/payment/PaymentStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import * as Instant from "@trailbook/core/time/Instant"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { layer, migrate } from "@trailbook/postgres"
import { migrations } from "@trailbook/postgres/migrations"
import { newEvent } from "@trailbook/testkit/law/endpoints"
import { claimAllFor } from "@trailbook/testkit/law/tasks"
import { newWebhook } from "@trailbook/testkit/law/traces"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { database } from "./schema.ts"

/** Creates the schema of the first `count` migrations, with one org that has two events and one that has none. */
const madeBy = (count: number, url: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query("create schema trailbook")
    await client.query("create table trailbook.migrations (number integer primary key, name text not null)")
    for (const [at, { name, statements }] of migrations("trailbook").slice(0, count).entries()) {
      for (const text of statements) await client.query(text)
      await client.query("insert into trailbook.migrations values ($1, $2)", [at + 1, name])
    }
    await client.query("set trailbook.orgs = '*'")
    await client.query(`insert into trailbook.orgs
      select id, 'River', id, 'America/Denver', 'usd', 'free', null, false, null, null, 6, 20, null, null, null, 0
      from unnest(array ['a', 'b']) id`)
    await client.query("insert into trailbook.event_counters (org_id, last) values ('a', 2)")
    await client.query(
      "insert into trailbook.events select 'a', id, 'org.updated', '{}', null, 0 from generate_series(1, 2) id"
    )
    await client.end()
  })

it.scopedLive("keeps event counters when webhooks are added", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    yield* madeBy(1, url)
    const later = migrations("trailbook").slice(1).map(({ name }) => name)
    assert.deepStrictEqual(yield* migrate({ url }), later)
    yield* Effect.gen(function*() {
      const log = yield* EventLog
      const { add, list } = yield* WebhookStore
      yield* add(newWebhook("a"))
      yield* add(newWebhook("b"))
      assert.lengthOf(yield* list("b"), 1)
      yield* log.append([newEvent("a"), newEvent("b")])
      assert.deepStrictEqual((yield* log.latest("a", 10)).map(({ id }) => id), [1, 2, 3])
      assert.deepStrictEqual((yield* log.latest("b", 10)).map(({ id }) => id), [1])
    }).pipe(Effect.provide(layer({ url })))
  }))

const day = 86_400_000

/** Data of a version without a search index: guests, and bookings on two days, two thirds of them confirmed. */
const past = [
  `customers select 'a', 'c' || at, 'guest' || at || '@a.co', 'Zoë Weiß', '719-555-' || at, '', '{}', at, null
    from generate_series(1, 1201) at`,
  `offerings select 'a', 'f', 'class', 'n', '', '', 60, 10, 10, 0, null, 0, 0, 365, 1, true, '{}', null, null, null, '[]', 1,
    null, 3600000`,
  `bookings select 'a', 'b' || at, 'f', 'c' || at, null, at, at + 1, 60, 1, 1, 0, 'r' || at, 'h' || at, 'api', '', '{}',
    ${day} * (at % 2), null, null, null, null, null, null, 'k' || at, '', case at % 3 when 0 then 'cancelled' else 'confirmed' end,
    null, false, null, case at % 3 when 0 then 1 end from generate_series(1, 30) at`
]

it.scopedLive(
  "makes guests and bookings of an earlier version searchable and countable, also after an interruption",
  () =>
    Effect.gen(function*() {
      const { url } = yield* database("empty")
      yield* madeBy(4, url)
      const ask = (...texts: ReadonlyArray<string>) =>
        Effect.promise(async () => {
          const client = new Client({ connectionString: url })
          await client.connect()
          await client.query("set trailbook.orgs = '*'")
          for (const text of texts) await client.query(text)
          await client.end()
        })
      const searched = (q: string) =>
        Effect.flatMap(CustomerStore, ({ list }) => list({ orgId: "a", q, after: undefined, limit: 2000 }))
      yield* ask(...past.map((rows) => `insert into trailbook.${rows}`))
      yield* Effect.gen(function*() {
        assert.lengthOf(yield* searched("weiss ZOE"), 1201)
        assert.deepStrictEqual((yield* searched("7195551200")).map(({ id }) => id), ["c1200"])
        const { countConfirmed } = yield* BookingStore
        const spans = [[0, day], [day, 2 * day], [0, 2 * day], [0, 1]].map(([from = 0, to = 0]) => ({
          from: Instant.make(from),
          to: Instant.make(to)
        }))
        assert.deepStrictEqual(yield* countConfirmed("a", spans), [10, 10, 20, 10])
      }).pipe(Effect.provide(layer({ url })))

      yield* ask(
        "update trailbook.customers set words = null where id > 'c5'",
        "delete from trailbook.customer_words where customer_id > 'c5'"
      )
      yield* Effect.gen(function*() {
        assert.lengthOf(yield* searched("zoe"), 1201)
        // Truncated tables also reset the counts and the search index.
        yield* ask("truncate trailbook.bookings, trailbook.customers cascade")
        const always = [{ from: Instant.min, to: Instant.max }]
        assert.deepStrictEqual(yield* (yield* BookingStore).countConfirmed("a", always), [0])
        assert.deepStrictEqual(yield* searched("zoe"), [])
      }).pipe(Effect.provide(layer({ url })))
    })
)

/** Rows of the former outbox: a failed mail, a claimed mail, and a refund. */
const waiting = `outbox (org_id, id, kind, booking_id, due_at, attempts, last_error, fence, lease_until) values
  ('a', 't1', 'mail.confirmed', 'b1', 5, 2, 'full', 2, null), ('a', 't2', 'mail.moved', 'b2', 6, 0, null, 1, 9),
  ('a', 't3', 'refund', 'b3', 7, 0, null, 0, null)`

const withoutWords = "customers (org_id, id, email, name, phone, notes, metadata, created_at, erased_at)"

it.scopedLive("moves the outbox of an earlier version to the tasks", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    yield* madeBy(8, url)
    const ask = (...texts: ReadonlyArray<string>) =>
      Effect.promise(async () => {
        const client = new Client({ connectionString: url })
        await client.connect()
        await client.query("set trailbook.orgs = '*'")
        for (const text of texts) await client.query(text)
        await client.end()
      })
    yield* ask(...[...past.map((rows) => rows.replace(/^customers/, withoutWords)), waiting].map((rows) =>
      `insert into trailbook.${rows}`
    ))
    assert.deepStrictEqual(
      yield* migrate({ url }),
      migrations("trailbook").slice(8).map(({ name }) =>
        name
      )
    )
    yield* ask(
      `insert into trailbook.tasks (org_id, id, kind, lane, subject_id, due_at, attempts) values ('a', 't4', 'of.later', 'own', 's', 0, 0)`
    )
    yield* Effect.gen(function*() {
      const claims = yield* claimAllFor(0)
      // A claim stays valid until its lease expires. The last task has a kind of a later version.
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
    }).pipe(Effect.provide(layer({ url })))
  }))

it.scopedLive(
  "converts payments of an earlier version to rows with past and pending refunds",
  () =>
    Effect.gen(function*() {
      const { url } = yield* database("empty")
      yield* madeBy(12, url)
      yield* Effect.promise(async () => {
        const client = new Client({ connectionString: url })
        await client.connect()
        await client.query("set trailbook.orgs = '*'")
        for (const rows of past) await client.query(`insert into trailbook.${rows.replace(/^customers/, withoutWords)}`)
        await client.query(
          `update trailbook.bookings set payment_intent_id = 'pi_' || id, paid_at = case id when 'b9' then null else 2 end
    where id in ('b1', 'b3', 'b6', 'b9', 'b12')`
        )
        await client.query("update trailbook.bookings set cancelled_at = 50 where id = 'b12'")
        await client.query(
          "insert into trailbook.tasks (org_id, id, kind, lane, subject_id, due_at, attempts) values ('a', 't', 'refund', 'money', 'b6', 0, 0)"
        )
        await client.end()
      })
      yield* Effect.gen(function*() {
        const { find, ofBookings } = yield* PaymentStore
        const key = (id: string) => ({ orgId: "a", id })
        // In order: kept, kept because it was canceled after its start, refunded, refund due, and refunded because it
        // was paid late.
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
        assert.deepInclude(due, {
          bookingId: "b6",
          intent: "pi_b6",
          provider: "host",
          connection: null,
          currency: "usd"
        })
      }).pipe(Effect.provide(layer({ url })))
    })
)
