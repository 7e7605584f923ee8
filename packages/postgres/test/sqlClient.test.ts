/** Tests the default behavior of `@effect/sql` and its Postgres client, and how the adapter changes it. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import { layer, type PostgresPool } from "@trailbook/postgres"
import { Database } from "@trailbook/sql/Database"
import { StatementFailed } from "@trailbook/sql/DatabaseUnavailable"
import { HostTransactions } from "@trailbook/sql/HostTransactions"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { Pool } from "pg"
import { openPool } from "./host/storage.ts"
import { database } from "./schema.ts"

const poolOf = (max: number) => Effect.flatMap(database(), ({ url }) => openPool(url, max))

/** The unmodified `@effect/sql-pg` client on a pool. */
const plainly = (pool: Pool) => PgClient.layerFromPool({ acquire: Effect.succeed(pool) })

const poolLayer = (pool: Pool, options: Omit<PostgresPool, "pool"> = {}) => layer({ pool, ...options })

const failure = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<unknown, never, R> =>
  Effect.map(Effect.exit(work), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

const orgs = Effect.map(Effect.flatMap(OrgStore, ({ all }) => all), ({ length }) => length)
const run = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.flatMap(UnitOfWork, ({ run }) => run(work))

const createNotes = Effect.flatMap(SqlClient, (sql) => sql`create table public.notes (text text primary key)`)
const note = (text: string) => Effect.flatMap(SqlClient, (sql) => sql`insert into public.notes values (${text})`)
const notes = Effect.map(
  Effect.flatMap(SqlClient, (sql) => sql<{ readonly text: string }>`select text from public.notes order by text`),
  (rows) => rows.map(({ text }) => text).join(" ")
)
const failQuery = Effect.ignore(Effect.flatMap(SqlClient, (sql) => sql`select 1 / 0`))

describe("a transaction with a failed statement", () => {
  const lost = Effect.flatMap(SqlClient, (sql) => sql.withTransaction(Effect.zipRight(note("a"), failQuery)))

  it.scopedLive("falsely reports success with the unmodified client", () =>
    Effect.gen(function*() {
      yield* createNotes
      assert.isUndefined(yield* failure(lost))
      assert.strictEqual(yield* notes, "")
    }).pipe(Effect.provide(Layer.unwrapScoped(Effect.map(poolOf(1), plainly)))))

  it.scopedLive("fails as a defect with the adapter's client", () =>
    Effect.gen(function*() {
      yield* createNotes
      assert.include(
        String(((yield* failure(lost)) as { readonly cause: unknown }).cause),
        "rolled back the transaction on COMMIT"
      )
      assert.include(String(yield* failure(run(Effect.zipRight(note("a"), failQuery)))), "division by zero")
      assert.strictEqual(yield* notes, "")
      assert.strictEqual(yield* run(Effect.as(note("b"), 1)), 1)
      assert.strictEqual(yield* notes, "b")
    }).pipe(Effect.provide(Layer.unwrapScoped(Effect.map(poolOf(2), (pool) => poolLayer(pool))))))
})

describe("canceling a wait for a connection", () => {
  const wait = (pool: Pool, hold: Effect.Effect<unknown, unknown>, waiter: Effect.Effect<unknown, unknown>) =>
    Effect.gen(function*() {
      const holder = yield* Effect.fork(hold)
      yield* Effect.repeat(Effect.sync(() => pool.totalCount - pool.idleCount), { until: (busyCount) => busyCount > 0 })
      const waiterFiber = yield* Effect.fork(waiter)
      yield* Effect.repeat(Effect.sync(() => pool.waitingCount), { until: (count) => count > 0 })
      yield* Fiber.interrupt(waiterFiber)
      return holder
    })

  it.scopedLive("leaks the connection with the unmodified client", () =>
    Effect.gen(function*() {
      const pool = yield* poolOf(1)
      const { reserve } = Context.get(yield* Layer.build(plainly(pool)), SqlClient)
      const end = yield* Deferred.make<void>()
      const holder = yield* wait(
        pool,
        Effect.scoped(Effect.zipRight(reserve, Deferred.await(end))),
        Effect.scoped(reserve)
      )
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holder)
      yield* Effect.repeat(Effect.sync(() => pool.waitingCount), { until: (count) => count === 0 })
      assert.strictEqual(pool.idleCount, 0)
      // A pool ends only after all clients have been released.
      for (
        const client of (pool as unknown as { readonly _clients: ReadonlyArray<{ release: () => void }> })._clients
      ) {
        client.release()
      }
    }))

  it.scopedLive("keeps the connection available with the adapter's client", () =>
    Effect.gen(function*() {
      const pool = yield* poolOf(1)
      yield* Effect.gen(function*() {
        const { transaction } = yield* Database
        const end = yield* Deferred.make<void>()
        const statement = Effect.flatMap(Database, ({ execute }) => execute("select 1"))
        const context = yield* Effect.context<Database>()
        const unit = (work: Effect.Effect<unknown>) =>
          transaction(Effect.provide(Effect.zipRight(statement, work), context))
        const holder = yield* wait(pool, unit(Deferred.await(end)), unit(Effect.void))
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(holder)
        yield* unit(Effect.void)
      }).pipe(Effect.provide(poolLayer(pool)))
      assert.strictEqual(pool.idleCount, 1)
    }))
})

it.scopedLive("the adapter lets an interrupted statement complete instead of canceling it", () =>
  Effect.gen(function*() {
    const pool = yield* poolOf(1)
    const { url } = yield* database("empty")
    const other = yield* openPool(url, 1)
    yield* Effect.gen(function*() {
      const sql = yield* SqlClient
      yield* sql`create sequence public.turns`
      const slow = sql`select pg_sleep(0.3), nextval('public.turns')`
      const fiber = yield* Effect.fork(run(slow))
      const isUnderWay = Effect.promise(async () => {
        const { rows } = await other.query(
          "select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'"
        )
        return rows.length > 0
      })
      yield* Effect.repeat(isUnderWay, { until: (isRunning) => isRunning })
      yield* Fiber.interrupt(fiber)
      const [row] = yield* sql<{ readonly last_value: string }>`select last_value from public.turns`
      assert.strictEqual(row?.last_value, "1")
      const [called] = yield* sql<{ readonly is_called: boolean }>`select is_called from public.turns`
      assert.isTrue(called?.is_called)
    }).pipe(Effect.provide(poolLayer(pool)))
  }))

it.scopedLive("a failed statement is reported with the driver's error as its cause", () =>
  Effect.gen(function*() {
    const { execute } = yield* Database
    yield* createNotes
    const twice = execute("insert into public.notes values ($1), ($1)", ["a"])
    const error = yield* failure(twice)
    assert.instanceOf(error, StatementFailed)
    assert.propertyVal(error.cause, "code", "23505")
    assert.match(error.message, /^duplicate key .* \(statement: insert into public.notes/)
    // If a buffered write fails before the program's own statement, the write's error is reported.
    const database = yield* Database
    const early = yield* failure(run(Effect.zipRight(database.write("select 1 / 0"), Effect.ignore(note("b")))))
    assert.include(String(early), "division by zero")
    assert.strictEqual(yield* notes, "")
  }).pipe(Effect.provide(Layer.unwrapScoped(Effect.map(poolOf(2), (pool) => poolLayer(pool))))))

it.scopedLive("a connection that is released with an open transaction is discarded", () =>
  Effect.gen(function*() {
    const leaveOpen = Effect.flatMap(SqlClient, ({ reserve }) =>
      Effect.scoped(Effect.flatMap(reserve, (connection) => connection.executeRaw("begin", []))))
    const plain = yield* poolOf(1)
    yield* Effect.provide(leaveOpen, plainly(plain))
    assert.strictEqual(plain.totalCount, 1)
    const pool = yield* poolOf(1)
    yield* Effect.gen(function*() {
      yield* leaveOpen
      assert.strictEqual(pool.totalCount, 0)
      yield* createNotes
      yield* note("a")
      assert.strictEqual(yield* notes, "a")
    }).pipe(Effect.provide(poolLayer(pool)))
    yield* Effect.promise(() =>
      plain.query("rollback")
    )
  }))

it.scopedLive("the engine joins a host transaction only if the host application requests it", () =>
  Effect.gen(function*() {
    const pool = yield* poolOf(4)
    yield* Effect.gen(function*() {
      const sql = yield* SqlClient
      const { join } = yield* HostTransactions
      yield* createNotes
      yield* Effect.exit(sql.withTransaction(Effect.zipRight(run(createEmptyOrg), Effect.fail("undone"))))
      assert.strictEqual(yield* orgs, 1)
      yield* Effect.exit(sql.withTransaction(Effect.zipRight(join(run(createEmptyOrg)), Effect.fail("undone"))))
      assert.strictEqual(yield* orgs, 1)
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* note("a")
        yield* Effect.ignore(join(Effect.zipRight(run(createEmptyOrg), Effect.fail("refused"))))
        yield* join(Effect.zipRight(run(createEmptyOrg), join(run(Effect.zipRight(createEmptyOrg, note("b"))))))
      }))
      assert.strictEqual(yield* orgs, 3)
      assert.strictEqual(yield* notes, "a b")
      assert.include((yield* Effect.flip(join(orgs))).message, "no transaction")
      const serializable = Effect.zipRight(sql`set transaction isolation level serializable`, join(run(createEmptyOrg)))
      assert.include(String(yield* failure(sql.withTransaction(serializable))), "serializable")
    }).pipe(Effect.provide(poolLayer(pool)))
  }))

it.scopedLive("the engine decodes values without changing the host application's decoding", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient
    const { query, transaction } = yield* Database
    const text = "select 9007199254740991::int8 as big, count(*) as count, 1::numeric as sum, '[1]'::json"
    const ourRows = [{ big: 9007199254740991, count: 1, sum: 1, json: "[1]" }]
    const clientRows = [{ big: "9007199254740991", count: "1", sum: "1", json: [1] }]
    assert.deepStrictEqual(yield* query<object>(text), ourRows)
    assert.deepStrictEqual(yield* sql.unsafe<object>(text), clientRows)
    assert.deepStrictEqual(yield* transaction(Effect.zip(query<object>(text), sql.unsafe<object>(text))), [
      ourRows,
      clientRows
    ])
  }).pipe(Effect.provide(Layer.unwrapScoped(Effect.map(poolOf(2), (pool) => poolLayer(pool))))))

describe("the host application's own client", () => {
  it.scopedLive("runs the engine's statements and keeps them prepared", () =>
    Effect.gen(function*() {
      const pool = yield* poolOf(2)
      const hosted = Layer.unwrapEffect(Effect.map(PgClient.PgClient, (client) => layer({ client })))
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient
        const { join } = yield* HostTransactions
        yield* createNotes
        yield* run(Effect.zipRight(createEmptyOrg, note("a")))
        yield* sql.withTransaction(join(Effect.zipRight(run(createEmptyOrg), note("b"))))
        for (const _ of [1, 2, 3]) assert.strictEqual(yield* orgs, 2)
        assert.strictEqual(yield* notes, "a b")
        assert.isAtMost(pool.totalCount, 2)
        const [prepared] = yield* sql<{ readonly n: number }>`
          select count(*)::int as n from pg_prepared_statements where name like 'trailbook_%'`
        assert.isAbove(prepared?.n ?? 0, 0)
        // A connection with an open transaction is not returned to the pool.
        const { execute, transaction } = yield* Database
        const killed = transaction(Effect.zipRight(
          execute("select 1"),
          Effect.flatMap(execute("select pg_terminate_backend(pg_backend_pid())"), () => Effect.void)
        ))
        assert.isDefined(yield* failure(killed))
        assert.strictEqual(yield* orgs, 2)
      }).pipe(Effect.provide(Layer.provideMerge(hosted, plainly(pool))))
    }))
})
