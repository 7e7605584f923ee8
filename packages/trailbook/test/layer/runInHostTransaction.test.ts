/**
 * Tests the engine on the host's own database. On both SQLite and Postgres, the engine and the host write in the same
 * transaction.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { SqlClient } from "@effect/sql/SqlClient"
import { hostConflict } from "@trailbook/core"
import { availabilityGet } from "@trailbook/core/availability"
import { BookingCreateHook, Bookings, bookingsCreate, bookingsList } from "@trailbook/core/booking"
import { customersDelete, customersList } from "@trailbook/core/customer"
import { ChunkSize, defineJob } from "@trailbook/core/job/defineJob"
import { offeringsCreate } from "@trailbook/core/offering"
import { SelfDeadlock } from "@trailbook/sql/HostTransactions"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { join } from "node:path"
import { BookingEngine, call, OrgActor } from "trailbook/effect"
import { assert, describe, expect, it } from "vitest"
import { createDatabase } from "../../../../test/postgres/database.ts"
import { folder } from "../../../cli/test/program.ts"
import { schema } from "../../../postgres/test/schema.ts"

const salida = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver" })

/** Refuses groups of more than two, and records admitted bookings in the host's table. */
const gate = Layer.effect(
  BookingCreateHook,
  Effect.map(SqlClient, (sql) =>
    BookingCreateHook.of({
      admit: ({ booking }) =>
        Effect.zipRight(
          Effect.orDie(sql`insert into waivers (booking) values (${booking.id})`),
          booking.quantity > 2 ? hostConflict("guide_needed", "Call us.") : Effect.void
        )
    }))
)

const postgres = Layer.unwrapScoped(Effect.map(
  Effect.acquireRelease(Effect.promise(() => createDatabase(schema)), ({ drop }) => Effect.promise(drop)),
  ({ url }) => PgClient.layer({ url: Redacted.make(url), maxConnections: 6 })
))

const sqlite = Layer.suspend(() => SqliteClient.layer({ filename: join(folder(), "shop.sqlite") }))
const inMemory = SqliteClient.layer({ filename: ":memory:" })

const engine = Layer.provideMerge(salida, BookingEngine.layerClient({}, { gate }))

const hostSetup = Effect.gen(function*() {
  const sql = yield* SqlClient
  yield* sql`create table orders (id integer primary key)`
  yield* sql`create table waivers (booking text primary key)`
  const { id: offering_id } = yield* call(offeringsCreate, { name: "Kayak", kind: "rental", capacity: 4 })
  const { data } = yield* call(availabilityGet, { id: offering_id })
  const starts_at = data.at(-1)?.starts_at ?? ""
  const count = (table: string) =>
    Effect.map(
      sql<{ readonly n: number | string }>`select count(*) as n from ${sql(table)}`,
      ([row]) => Number(row?.n)
    )
  return {
    sql,
    order: (id: number) => sql`insert into orders (id) values (${id})`,
    book: (quantity = 1) =>
      call(bookingsCreate, { offering_id, starts_at, quantity, customer: { email: "ada@example.com", name: "Ada" } }),
    stored: Effect.all([
      Effect.map(call(bookingsList, {}), ({ data }) => data.length),
      count("orders"),
      count("waivers")
    ])
  }
})

const causeOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(work), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

const clients: ReadonlyArray<readonly [string, Layer.Layer<SqlClient, unknown>]> = [
  ["SQLite", sqlite],
  ["SQLite in memory", inMemory],
  ["Postgres", postgres]
]

describe.each(clients)(
  "runInHostTransaction on %s",
  (name, client) => {
    const run = <A, E>(program: Effect.Effect<A, E, SqlClient | Layer.Layer.Success<typeof engine>>): Promise<A> =>
      Effect.runPromise(Effect.provide(program, Layer.provideMerge(engine, client)))

    it("commits both a booking and the host application's rows, or neither", () =>
      run(Effect.gen(function*() {
        const { book, order, sql, stored } = yield* hostSetup
        const inside = (id: number, work: Effect.Effect<unknown, unknown>) =>
          sql.withTransaction(Effect.zipRight(order(id), work))
        const context = yield* Effect.context<Layer.Layer.Success<typeof engine>>()
        const bookInHost = (quantity = 1) => Effect.provide(BookingEngine.runInHostTransaction(book(quantity)), context)
        yield* inside(1, bookInHost())
        assert.deepStrictEqual(yield* stored, [1, 1, 1])
        yield* Effect.ignore(inside(2, Effect.zipRight(bookInHost(), Effect.fail("undone"))))
        assert.deepStrictEqual(yield* stored, [1, 1, 1])
        // A refused booking writes nothing, and the transaction can continue.
        yield* inside(
          3,
          Effect.flatMap(Effect.flip(bookInHost(3)), (rejection) =>
            Effect.sync(() => expect(rejection).toMatchObject({ code: "guide_needed" })))
        )
        assert.deepStrictEqual(yield* stored, [1, 2, 1])
        yield* inside(4, Effect.zipRight(bookInHost(), bookInHost()))
        assert.deepStrictEqual(yield* stored, [3, 3, 3])
      })))

    it("lets a hook query the host's tables", () =>
      run(Effect.gen(function*() {
        const { book, stored } = yield* hostSetup
        const all = yield* Effect.all([book(), Effect.flip(book(3)), book()], { concurrency: "unbounded" })
        expect(all[1]).toMatchObject({ code: "guide_needed" })
        assert.deepStrictEqual(yield* stored, [2, 0, 2])
      })))

    it("never deadlocks if a call inside a transaction omits it", () =>
      run(Effect.gen(function*() {
        const { book, order, sql, stored } = yield* hostSetup
        const bookings = yield* Bookings
        const outside = sql.withTransaction(Effect.zipRight(order(1), book()))
        if (name === "Postgres") {
          yield* Effect.exit(sql.withTransaction(Effect.zipRight(book(), Effect.fail("undone"))))
          assert.deepStrictEqual(yield* stored, [1, 0, 1])
          return
        }
        assert.instanceOf(yield* causeOf(outside), SelfDeadlock)
        // A service that was acquired outside the transaction also joins it.
        const other = Effect.flip(bookings.confirm({ orgId: "o", id: "b" }))
        expect(yield* sql.withTransaction(BookingEngine.runInHostTransaction(other))).toMatchObject({
          code: "not_found"
        })
        assert.deepStrictEqual(yield* stored, [0, 0, 0])
      })))

    it("fails without an open transaction", () =>
      run(Effect.gen(function*() {
        const { book, stored } = yield* hostSetup
        expect(yield* Effect.flip(BookingEngine.runInHostTransaction(book()))).toMatchObject({
          _tag: "UnsupportedTransaction"
        })
        assert.deepStrictEqual(yield* stored, [0, 0, 0])
      })))

    it("blocks bookings outside the transaction until it ends", () =>
      run(Effect.gen(function*() {
        const { book, order, sql, stored } = yield* hostSetup
        const startSignal = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const inside = yield* Effect.fork(sql.withTransaction(Effect.gen(function*() {
          yield* order(1)
          yield* BookingEngine.runInHostTransaction(book())
          yield* Deferred.succeed(startSignal, undefined)
          yield* Deferred.await(end)
        })))
        yield* Deferred.await(startSignal)
        const outside = yield* Effect.fork(book())
        yield* Effect.yieldNow()
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(inside)
        yield* Fiber.join(outside)
        assert.deepStrictEqual(yield* stored, [2, 1, 2])
      })))

    it("erases a guest only if the host transaction commits", () =>
      run(Effect.gen(function*() {
        const { book, sql } = yield* hostSetup
        yield* book()
        const customerNames = Effect.map(call(customersList, {}), ({ data }) => data.map(({ name }) => name))
        const { data: [ada] } = yield* call(customersList, {})
        const erased = BookingEngine.runInHostTransaction(call(customersDelete, { id: ada?.id ?? "" }))
        yield* Effect.ignore(sql.withTransaction(Effect.zipRight(erased, Effect.fail("undone"))))
        assert.deepStrictEqual(yield* customerNames, ["Ada"])
        yield* sql.withTransaction(erased)
        assert.notInclude(yield* customerNames, "Ada")
        yield* book()
      })))

    it("does not wait for a job that another caller is running", () =>
      run(Effect.gen(function*() {
        const { book, sql } = yield* hostSetup
        yield* Effect.repeatN(book(), 2)
        const { data: [ada] } = yield* call(customersList, {})
        const startSignal = yield* Deferred.make<void>()
        const isTheirs = yield* Deferred.make<void>()
        const over = yield* Deferred.make<void>()
        // The other caller's chunk finishes only after the transaction ends, as if it were waiting for one of its
        // locks. On SQLite, every unit of work waits for the transaction.
        const job = { orgId: "o", id: "j" }
        const { start } = yield* defineJob({
          find: () => Effect.succeed(job),
          from: () => Effect.void,
          step: () => Effect.zipRight(Deferred.succeed(isTheirs, undefined), Effect.as(Deferred.await(over), {}))
        })
        const jobFiber = yield* Effect.fork(
          Effect.zipRight(Deferred.await(startSignal), start(Effect.succeed({ job })))
        )
        const erased = Effect.provideService(call(customersDelete, { id: ada?.id ?? "" }), ChunkSize, 2)
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* Deferred.succeed(startSignal, undefined)
          yield* Deferred.await(isTheirs)
          yield* BookingEngine.runInHostTransaction(erased)
        }))
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(jobFiber)
        const { data } = yield* call(customersList, {})
        assert.notInclude(data.map((guest) => guest.name), "Ada")
      })))
  }
)

it("the engine rejects a client for an unsupported database", async () => {
  const odd = Layer.succeed(SqlClient, {} as SqlClient)
  const built = Layer.build(Layer.provide(BookingEngine.layerClient(), odd))
  const cause = await Effect.runPromise(Effect.scoped(causeOf(built)))
  assert.match(String(cause), /must be a PgClient or the SqliteClient/)
})
