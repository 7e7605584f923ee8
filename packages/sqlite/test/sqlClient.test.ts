/** Tests the default behavior of `@effect/sql` and its SQLite client, and how the adapter changes it. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { SafeIntegers, SqlClient } from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import { Database } from "@trailbook/sql/Database"
import { DatabaseUnavailable, StatementFailed } from "@trailbook/sql/DatabaseUnavailable"
import { HostTransactions, SelfDeadlock } from "@trailbook/sql/HostTransactions"
import { layer, layerClient } from "@trailbook/sqlite"
import { open } from "@trailbook/sqlite/driver"
import { wrapClient } from "@trailbook/sqlite/SqliteConnection"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { org } from "./sample.ts"
import { temporaryFile } from "./temporaryFile.ts"

const storage = Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => layer({ filename })))

const defect = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(work), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

const put = Effect.flatMap(OrgStore, ({ put }) => put(org()))
const orgs = Effect.map(Effect.flatMap(OrgStore, ({ all }) => all), ({ length }) => length)

const referring = [
  "create table parent (id integer primary key)",
  "create table child (parent integer references parent (id) deferrable initially deferred)"
]

it.effect("a transaction whose commit fails is rolled back", () =>
  Effect.gen(function*() {
    const { execute } = yield* Database
    for (const text of referring) yield* execute(text)
    const failure = yield* defect(execute("insert into child values (7)"))
    assert.instanceOf(failure, StatementFailed)
    assert.include(failure.message, "FOREIGN KEY constraint failed")
    yield* execute("insert into parent values (1)")

    // The unmodified client leaves the transaction open, so the next one fails.
    const sql = yield* SqlClient
    const reason = (work: Effect.Effect<unknown, unknown>) =>
      Effect.map(defect(sql.withTransaction(work)), (error) => String((error as { readonly cause: unknown }).cause))
    assert.include(yield* reason(sql`insert into child values (8)`), "FOREIGN KEY constraint failed")
    assert.include(yield* reason(sql`insert into parent values (2)`), "within a transaction")
  }).pipe(Effect.provide(storage)))

it.scoped("joining a host transaction takes the write lock before the first read", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const sql = yield* SqlClient
      const { join } = yield* HostTransactions
      const other = yield* open(filename, { timeout: 0 })
      // A transaction that has only read fails on its first write if another connection has written in the meantime.
      other.exec("create table noted (at integer)")
      const writes = Effect.sync(() => other.exec("insert into noted values (1)"))
      const late = yield* defect(
        sql.withTransaction(Effect.zipRight(Effect.zipRight(orgsBy(sql), writes), sql`delete from noted`))
      )
      assert.propertyVal((late as { readonly cause: unknown }).cause, "code", "SQLITE_BUSY_SNAPSHOT")

      const lockError = Effect.sync(() => {
        try {
          other.exec("begin immediate; rollback")
          return undefined
        } catch (error) {
          return error
        }
      })
      assert.propertyVal(yield* sql.withTransaction(join(lockError)), "code", "SQLITE_BUSY")
    }).pipe(Effect.provide(layer({ filename })))
  }))

const orgsBy = (sql: SqlClient) => sql`select id from orgs`

it.effect("a query returns integers as numbers despite the host's bigint setting", () =>
  Effect.gen(function*() {
    const { execute, query } = yield* Database
    yield* put
    const ask = Effect.map(query<{ readonly n: unknown }>("select $1 + 0 as n", [5]), ([row]) => typeof row?.n)
    const valueType = Effect.map(execute<{ readonly n: unknown }>("select $1 + 1 as n", [5]), ([row]) => typeof row?.n)
    for (const [text, kind] of [["query", ask], ["execute", valueType]] as const) {
      assert.strictEqual(yield* Effect.provideService(kind, SafeIntegers, true), "number", text)
      assert.strictEqual(yield* kind, "number", text)
    }
    // In the unmodified client, one query with `SafeIntegers` changes the results of all later queries.
    const sql = yield* SqlClient
    const typeOfSeven = Effect.map(sql<{ readonly n: unknown }>`select 7 as n`, ([row]) => typeof row?.n)
    assert.strictEqual(yield* Effect.provideService(typeOfSeven, SafeIntegers, true), "bigint")
    assert.strictEqual(yield* typeOfSeven, "bigint")
  }).pipe(Effect.provide(storage)))

it.effect("a query handles empty results, duplicate column names, and numeric column names", () =>
  Effect.gen(function*() {
    const { query } = yield* Database
    const ask = (text: string, ...values: ReadonlyArray<number>) =>
      Effect.map(Effect.all([query(text, values), query(text, values)]), ([first, second]) => {
        assert.deepStrictEqual(first, second)
        return first
      })
    assert.deepStrictEqual(yield* ask("select 1 as n where $1", 0), [])
    assert.deepStrictEqual(yield* ask("select 1 as n where $1", 1), [{ n: 1 }])
    assert.deepStrictEqual(yield* ask("select 1 as n, 2 as m, 3 as n"), [{ n: 3, m: 2 }])
    assert.deepStrictEqual(yield* ask(`select 1 as b, 2 as "1"`), [{ 1: 2, b: 1 }])
  }).pipe(Effect.provide(storage)))

it.effect("a statement with a syntax error fails as a defect", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient
    const { connection } = yield* wrapClient(yield* SqliteClient.SqliteClient)
    assert.throws(() => connection.sql.executeUnprepared("selec 1", [], undefined), /syntax error/)
    const caught = yield* Effect.flip(connection.foreign("selec 1", []))
    assert.include(String(caught), "syntax error")
    assert.include(
      String(yield* defect(Effect.flatMap(Database, ({ execute }) => execute("selec 1")))),
      "near \"selec\""
    )
    assert.strictEqual((yield* sql`select 1 as one`).length, 1)
  }).pipe(Effect.orDie, Effect.provide(storage)))

it.effect("a failed statement is reported with the driver's error as its cause", () =>
  Effect.gen(function*() {
    const { execute } = yield* Database
    yield* execute("create table parent (id integer primary key)")
    const twice = Effect.zipRight(
      execute("insert into parent values ($1)", [1]),
      execute("insert into parent values ($1)", [1])
    )
    const error = yield* defect(twice)
    assert.instanceOf(error, StatementFailed)
    assert.propertyVal(error.cause, "code", "SQLITE_CONSTRAINT_PRIMARYKEY")
    assert.strictEqual(
      error.message,
      "UNIQUE constraint failed: parent.id (statement: insert into parent values ($1))"
    )
    const busy = new DatabaseUnavailable({ cause: error.cause })
    assert.include(busy.message, "UNIQUE constraint failed")
  }).pipe(Effect.provide(storage)))

it.scoped("the engine refuses to join a host transaction that uses another database", () =>
  Effect.gen(function*() {
    const otherFile = yield* temporaryFile
    const sql = yield* Effect.provideServiceEffect(
      SqliteClient.make({ filename: otherFile }),
      Reactivity.Reactivity,
      Reactivity.make
    )
    yield* Effect.gen(function*() {
      const { join } = yield* HostTransactions
      yield* Effect.exit(sql.withTransaction(Effect.zipRight(put, Effect.fail("undone"))))
      assert.strictEqual(yield* orgs, 1)
      const elsewhere = yield* Effect.flip(sql.withTransaction(join(put)))
      assert.include(elsewhere.message, "another database")
      assert.include((yield* Effect.flip(join(put))).message, "no transaction")
      assert.strictEqual(yield* orgs, 1)
    }).pipe(Effect.provide(storage))
  }))

it.effect("values are bound to placeholders, except inside quoted text", () =>
  Effect.gen(function*() {
    const { query } = yield* Database
    const { connection } = yield* wrapClient(yield* SqliteClient.SqliteClient)
    const [row] = yield* query("select $2 as b, $1 as a, $2 as c", ["a", "b"])
    assert.deepStrictEqual(row, { b: "b", a: "a", c: "b" })
    const [foreign] = yield* connection.foreign("select '$2' as quoted, $2 as b, $1 as a, $2 as c", ["a", "b"])
    assert.deepStrictEqual(foreign, { quoted: "$2", b: "b", a: "a", c: "b" })
  }).pipe(Effect.orDie, Effect.provide(storage)))

it.scoped("engine transactions wait for host transactions on the same client", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const storageLayer = Layer.provideMerge(layerClient, SqliteClient.layer({ filename }))
    yield* Effect.gen(function*() {
      const sql = yield* SqlClient
      const { execute, query } = yield* Database
      const { run } = yield* UnitOfWork
      yield* sql`create table notes (text text)`
      const hasBegun = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const note = (text: string) => Effect.orDie(sql`insert into notes values (${text})`)
      const clientFiber = yield* Effect.fork(sql.withTransaction(
        Effect.zipRight(note("theirs"), Effect.zipRight(Deferred.succeed(hasBegun, undefined), Deferred.await(goOn)))
      ))
      yield* Deferred.await(hasBegun)
      const engineFiber = yield* Effect.fork(run(Effect.zipRight(note("ours"), Effect.fail("undone"))))
      assert.deepStrictEqual(yield* query("select text from notes"), [])
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(clientFiber)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(engineFiber)))
      assert.deepStrictEqual(yield* query("select text from notes"), [{ text: "theirs" }])
      yield* execute("delete from notes")
    }).pipe(Effect.provide(storageLayer))
  }))

it.effect("an engine transaction includes the host application's statements", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient
    const { run } = yield* UnitOfWork
    const { query } = yield* Database
    yield* sql`create table notes (text text primary key)`
    const note = (text: string) => sql`insert into notes values (${text})`
    const notes = Effect.map(
      query<{ readonly text: string }>("select text from notes order by text"),
      (rows) => rows.map(({ text }) => text).join(" ")
    )

    yield* run(Effect.zipRight(note("a"), put))
    yield* Effect.exit(run(Effect.zipRight(note("b"), Effect.fail("undone"))))
    assert.strictEqual(yield* notes, "a")

    const caught = Effect.zipRight(note("c"), Effect.ignore(note("a")))
    assert.instanceOf(yield* defect(run(caught)), StatementFailed)
    assert.strictEqual(yield* notes, "a")
    // The host application can roll back to its own savepoint.
    yield* run(Effect.zipRight(note("d"), Effect.ignore(sql.withTransaction(Effect.zipRight(note("e"), note("a"))))))
    assert.strictEqual(yield* notes, "a d")

    const end = yield* Deferred.make<void>()
    const late = yield* run(Effect.fork(Effect.zipRight(Deferred.await(end), note("late"))))
    yield* Deferred.succeed(end, undefined)
    assert.include(String((yield* Effect.flip(Fiber.join(late))).cause), "has ended")
    assert.strictEqual(yield* notes, "a d")
  }).pipe(Effect.provide(storage)))

it.effect("a write outside the surrounding host transaction fails instead of blocking", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient
    const { join } = yield* HostTransactions
    assert.instanceOf(yield* defect(sql.withTransaction(put)), SelfDeadlock)
    // Reads use a separate connection.
    assert.strictEqual(yield* sql.withTransaction(orgs), 0)
    yield* sql.withTransaction(join(put))
    assert.strictEqual(yield* orgs, 1)
  }).pipe(Effect.provide(storage)))

it.effect("joined work rolls back alone or with the host transaction", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient
    const { join } = yield* HostTransactions
    const { run } = yield* UnitOfWork
    yield* sql`create table notes (text text primary key)`
    const note = (text: string) => sql`insert into notes values (${text})`
    const notes = Effect.map(sql`select text from notes`, ({ length }) => length)

    yield* sql.withTransaction(Effect.gen(function*() {
      yield* note("a")
      yield* Effect.ignore(join(Effect.zipRight(run(put), Effect.fail("refused"))))
      yield* join(Effect.zipRight(put, join(run(put))))
    }))
    assert.deepStrictEqual([yield* notes, yield* orgs], [1, 2])
    yield* Effect.ignore(sql.withTransaction(Effect.zipRight(note("b"), Effect.zipRight(join(put), Effect.fail("no")))))
    assert.deepStrictEqual([yield* notes, yield* orgs], [1, 2])
    // Concurrent joins do not end each other's savepoints.
    yield* sql.withTransaction(Effect.all(
      [join(put), Effect.ignore(join(Effect.zipRight(put, Effect.fail("refused")))), join(put)],
      { concurrency: "unbounded" }
    ))
    assert.strictEqual(yield* orgs, 4)
  }).pipe(Effect.provide(storage)))
