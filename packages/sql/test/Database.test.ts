import { assert, describe, it } from "@effect/vitest"
import { Actor, host } from "@trailbook/core/actor/Actor"
import { TenantScope } from "@trailbook/core/port/TenantScope"
import { EarlierFailed } from "@trailbook/sql/Connection"
import { Database } from "@trailbook/sql/Database"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { layerUnguarded } from "@trailbook/sql/testing/unguarded"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { deadlock, gone, recorded } from "./RecordedConnection.ts"

const defectOf = <A, E>(exit: Exit.Exit<A, E>): unknown =>
  Exit.isFailure(exit) && Cause.isDie(exit.cause) ? Cause.squash(exit.cause) : assert.fail("no defect")

describe("outside a transaction", () => {
  it.effect("reads go to the reader; a write is a transaction by itself", () =>
    Effect.gen(function*() {
      const { database, said } = recorded()
      yield* database.query("read")
      yield* database.execute("write")
      assert.deepStrictEqual(said, [
        "reader: read",
        "writer: begin immediate",
        "writer: write",
        "writer: commit",
        "writer is free"
      ])
    }))

  it.effect("an erasure is followed by a wipe, before anybody else has the connection", () =>
    Effect.gen(function*() {
      const { database, said } = recorded()
      yield* database.erase("write")
      assert.deepStrictEqual(said.slice(-3), ["writer: commit", "writer: wipe", "writer is free"])
    }))

  it.effect("what fails is a defect that names the statement, or says that the database is unavailable", () =>
    Effect.gen(function*() {
      const { database } = recorded({ wrong: new Error("near \"wrong\""), busy: gone })
      const wrong = defectOf(yield* Effect.exit(database.query("wrong")))
      assert.propertyVal(wrong, "message", "near \"wrong\", in: wrong")
      assert.instanceOf(defectOf(yield* Effect.exit(database.query("busy"))), DatabaseUnavailable)
    }))
})

describe("a transaction", () => {
  it.effect("reads on its own connection, commits, and gives the connection back", () =>
    Effect.gen(function*() {
      const { database, said } = recorded()
      yield* database.transaction(Effect.zip(database.execute("write"), database.query("read")))
      assert.deepStrictEqual(said, [
        "writer: begin immediate",
        "writer: write",
        "writer: read",
        "writer: commit",
        "writer is free"
      ])
    }))

  it.effect("rolls back on a refusal, a defect and an interruption", () =>
    Effect.gen(function*() {
      const ends = [Effect.fail("refused"), Effect.die("broken"), Effect.interrupt]
      for (const end of ends) {
        const { database, said } = recorded()
        assert.deepStrictEqual(yield* Effect.exit(database.transaction(end)), yield* Effect.exit(end))
        assert.deepStrictEqual(said, ["writer: begin immediate", "writer: rollback", "writer is free"])
      }
    }))

  it.effect("that cannot commit rolls back", () =>
    Effect.gen(function*() {
      const { database, said } = recorded({ commit: gone })
      const exit = yield* Effect.exit(database.transaction(database.execute("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(said.slice(-3), ["writer: commit", "writer: rollback", "writer is free"])
    }))

  it.effect("that cannot begin gives the connection back", () =>
    Effect.gen(function*() {
      const { database, said } = recorded({ "begin immediate": gone })
      const exit = yield* Effect.exit(database.transaction(database.execute("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(said, ["writer: begin immediate", "writer is free"])
    }))

  it.effect("in which a statement failed takes no other one and never commits", () =>
    Effect.gen(function*() {
      const { database, said } = recorded({ wrong: gone })
      const caught = Effect.catchAllDefect(database.execute("wrong"), () => Effect.void)
      const again = Effect.catchAllDefect(database.execute("again"), () => Effect.void)
      const exit = yield* Effect.exit(database.transaction(Effect.zip(caught, again)))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(said, ["writer: begin immediate", "writer: wrong", "writer: rollback", "writer is free"])
    }))

  it.effect("that the database gave up by itself still says why", () =>
    Effect.gen(function*() {
      const { database, said } = recorded({ write: gone, rollback: new Error("no transaction is active") })
      const exit = yield* Effect.exit(database.transaction(database.execute("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(said.slice(-1), ["writer is free"])
    }))

  it.effect("inside another one that fails undoes its part, and the other one can go on", () =>
    Effect.gen(function*() {
      const { database, said } = recorded({ wrong: gone })
      const inner = Effect.catchAllDefect(database.transaction(database.execute("wrong")), () => Effect.void)
      yield* database.transaction(Effect.zip(inner, database.execute("write")))
      assert.deepStrictEqual(said, [
        "writer: begin immediate",
        "writer: savepoint unit",
        "writer: wrong",
        "writer: rollback to unit",
        "writer: release unit",
        "writer: write",
        "writer: commit",
        "writer is free"
      ])
    }))

  it.effect("inside another one that fails only at its end, by what it has written, is undone all the same", () =>
    Effect.gen(function*() {
      const { database, said } = recorded({ "release unit": new EarlierFailed({ text: "wrong", cause: gone }) }, 1)
      const inner = Effect.exit(database.transaction(database.write("wrong")))
      const exit = yield* database.transaction(Effect.zipLeft(inner, database.write("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(said, [
        "writer: begin immediate",
        "writer: savepoint unit",
        "writer: wrong",
        "writer: release unit",
        "writer: rollback to unit",
        "writer: release unit",
        "writer: write",
        "writer: commit",
        "writer is free"
      ])
    }))

  it.effect("can be interrupted while it waits for the connection", () =>
    Effect.gen(function*() {
      const { database, said } = recorded()
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.fork(database.transaction(Deferred.await(end)))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(database.transaction(database.execute("second")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      yield* database.execute("third")
      assert.notInclude(said, "writer: second")
      assert.include(said, "writer: third")
    }))

  it.effect("is over for a fiber that outlives it", () =>
    Effect.gen(function*() {
      const { database, said } = recorded()
      const end = yield* Deferred.make<void>()
      const fiber = yield* database.transaction(
        Effect.fork(Effect.zipRight(Deferred.await(end), database.query("late")))
      )
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(said.at(-1), "reader: late")
    }))
})

describe("a transaction that lost to another one", () => {
  const lost = (times: number): Readonly<Record<string, unknown>> => {
    let left = times
    return {
      get write() {
        return left-- > 0 ? deadlock : undefined
      }
    }
  }
  const begun = (said: ReadonlyArray<string>) => said.filter((line) => line === "writer: begin immediate").length

  it.effect("is rolled back and run again from its start", () =>
    Effect.gen(function*() {
      const { database, said } = recorded(lost(1))
      yield* database.transaction(Effect.zip(database.query("read"), database.execute("write")))
      const until = (end: string) => ["begin immediate", "read", "write", end].map((text) => `writer: ${text}`)
      assert.deepStrictEqual(said, [...until("rollback"), "writer is free", ...until("commit"), "writer is free"])
    }))

  it.effect("is given up after the third time, as unavailable", () =>
    Effect.gen(function*() {
      const { database, said } = recorded(lost(9))
      assert.instanceOf(defectOf(yield* Effect.exit(database.execute("write"))), DatabaseUnavailable)
      assert.strictEqual(begun(said), 4)
    }))

  it.effect("is run again when the loss comes with its commit, or was caught", () =>
    Effect.gen(function*() {
      const atCommit = recorded({
        get commit() {
          return atCommit.said.filter((line) => line === "writer: commit").length > 1 ? undefined : deadlock
        }
      })
      yield* atCommit.database.execute("write")
      assert.strictEqual(begun(atCommit.said), 2)

      const caught = recorded(lost(1))
      const write = Effect.catchAllDefect(caught.database.execute("write"), () => Effect.void)
      yield* caught.database.transaction(write)
      assert.strictEqual(begun(caught.said), 2)
    }))

  it.effect("is run again as a whole, not the part of it that lost", () =>
    Effect.gen(function*() {
      const { database, said } = recorded(lost(1))
      yield* database.transaction(database.transaction(database.execute("write")))
      assert.strictEqual(begun(said), 2)
    }))

  it.effect("is all that is run again: not a database that is gone, a refusal or a wrong statement", () =>
    Effect.gen(function*() {
      const { database, said } = recorded({ write: gone, wrong: new Error("near \"wrong\"") })
      yield* Effect.exit(database.execute("write"))
      yield* Effect.exit(database.execute("wrong"))
      yield* Effect.exit(database.transaction(Effect.fail("refused")))
      assert.strictEqual(begun(said), 3)
    }))
})

describe("whose work it is", () => {
  const asked = (context: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>) =>
    Effect.gen(function*() {
      const { database, tenants } = recorded()
      yield* context(Effect.all([
        database.query("read"),
        database.execute("write"),
        database.snapshot(database.query("read"))
      ]))
      return tenants
    })
  const actor = host({ orgId: "a", scopes: [] })

  it.effect("is said by the actor, and before them by the tenants; else it is the engine's own", () =>
    Effect.gen(function*() {
      const acted = Effect.provideService(Actor, actor)
      const batched = Effect.provideService(TenantScope, ["b", "c"])
      assert.deepStrictEqual(yield* asked((work) => work), [undefined, undefined, undefined])
      assert.deepStrictEqual(yield* asked((work) => acted(work)), [["a"], ["a"], ["a"]])
      assert.deepStrictEqual(yield* asked((work) => acted(batched(work))), [["b", "c"], ["b", "c"], ["b", "c"]])
    }))
})

describe("a snapshot", () => {
  it.effect("has its own connection, and within a transaction that of the transaction", () =>
    Effect.gen(function*() {
      const { database, said } = recorded()
      yield* database.snapshot(database.query("read"))
      yield* database.transaction(database.snapshot(database.query("read")))
      assert.deepStrictEqual(said, [
        "snapshot: begin",
        "snapshot: read",
        "snapshot: commit",
        "snapshot is free",
        "writer: begin immediate",
        "writer: read",
        "writer: commit",
        "writer is free"
      ])
    }))
})

describe("the control", () => {
  it.effect("runs every statement by itself, and units by turns", () =>
    Effect.gen(function*() {
      const { database, said } = recorded()
      const bare = Layer.provide(layerUnguarded, Layer.succeed(Database, database))
      const unit = (name: string) =>
        Effect.flatMap(Database, ({ query, transaction }) =>
          transaction(Effect.zip(query(`${name}1`), query(`${name}2`))))
      yield* Effect.provide(Effect.all([unit("a"), unit("b")], { concurrency: "unbounded" }), bare)
      assert.deepStrictEqual(said, ["reader: a1", "reader: b1", "reader: a2", "reader: b2"])
    }))
})
