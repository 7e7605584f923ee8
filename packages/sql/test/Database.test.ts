import { assert, describe, it } from "@effect/vitest"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { TenantScope } from "@trailbook/core/port"
import { EarlierStatementFailed } from "@trailbook/sql/Connection"
import { Database } from "@trailbook/sql/Database"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { layerUnguarded } from "@trailbook/sql/testing/unguarded"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { deadlockError, recordDatabase, unavailableError } from "./RecordedConnection.ts"

const defectOf = <A, E>(exit: Exit.Exit<A, E>): unknown =>
  Exit.isFailure(exit) && Cause.isDie(exit.cause) ? Cause.squash(exit.cause) : assert.fail("no defect")

describe("outside a transaction, the database", () => {
  it.effect("reads on the read connection, and writes in transactions", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase()
      yield* database.query("read")
      yield* database.execute("write")
      assert.deepStrictEqual(log, [
        "reader: read",
        "writer: begin immediate",
        "writer: write",
        "writer: commit",
        "writer is free"
      ])
    }))

  it.effect("wipes erased data before the connection is used again", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase()
      yield* database.erase("write")
      assert.deepStrictEqual(log.slice(-3), ["writer: commit", "writer: truncate", "writer is free"])
    }))

  it.effect("distinguishes a failed statement from a lost database", () =>
    Effect.gen(function*() {
      const { database } = recordDatabase({ wrong: new Error("near \"wrong\""), busy: unavailableError })
      const wrong = defectOf(yield* Effect.exit(database.query("wrong")))
      assert.propertyVal(wrong, "message", "near \"wrong\" (statement: wrong)")
      assert.instanceOf(defectOf(yield* Effect.exit(database.query("busy"))), DatabaseUnavailable)
    }))
})

describe("a transaction", () => {
  it.effect("reads on its own connection, commits, and releases the connection", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase()
      yield* database.transaction(Effect.zip(database.execute("write"), database.query("read")))
      assert.deepStrictEqual(log, [
        "writer: begin immediate",
        "writer: write",
        "writer: read",
        "writer: commit",
        "writer is free"
      ])
    }))

  it.effect("rolls back on a refusal, a defect, or an interruption", () =>
    Effect.gen(function*() {
      const ends = [Effect.fail("refused"), Effect.die("broken"), Effect.interrupt]
      for (const end of ends) {
        const { database, log } = recordDatabase()
        assert.deepStrictEqual(yield* Effect.exit(database.transaction(end)), yield* Effect.exit(end))
        assert.deepStrictEqual(log, ["writer: begin immediate", "writer: rollback", "writer is free"])
      }
    }))

  it.effect("reports an unavailable database if the rollback fails", () =>
    Effect.gen(function*() {
      const { database } = recordDatabase({ rollback: unavailableError })
      const exit = yield* Effect.exit(database.transaction(Effect.fail("refused")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
    }))

  it.effect("rolls back if it cannot commit", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase({ commit: unavailableError })
      const exit = yield* Effect.exit(database.transaction(database.execute("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(log.slice(-3), ["writer: commit", "writer: rollback", "writer is free"])
    }))

  it.effect("releases the connection if it cannot start", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase({ "begin immediate": unavailableError })
      const exit = yield* Effect.exit(database.transaction(database.execute("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(log, ["writer: begin immediate", "writer is free"])
    }))

  it.effect("neither continues nor commits after a failed statement", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase({ wrong: unavailableError })
      const caught = Effect.catchAllDefect(database.execute("wrong"), () => Effect.void)
      const again = Effect.catchAllDefect(database.execute("again"), () => Effect.void)
      const exit = yield* Effect.exit(database.transaction(Effect.zip(caught, again)))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(log, ["writer: begin immediate", "writer: wrong", "writer: rollback", "writer is free"])
    }))

  it.effect("reports the original error if the database has already aborted it", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase({
        write: unavailableError,
        rollback: new Error("no transaction is active")
      })
      const exit = yield* Effect.exit(database.transaction(database.execute("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(log.slice(-1), ["writer is free"])
    }))

  it.effect("rolls back only its own work if it is nested and fails", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase({ wrong: unavailableError })
      const inner = Effect.catchAllDefect(database.transaction(database.execute("wrong")), () => Effect.void)
      yield* database.transaction(Effect.zip(inner, database.execute("write")))
      assert.deepStrictEqual(log, [
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

  it.effect("rolls back if it is nested and its pending writes fail", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase(
        { "release unit": new EarlierStatementFailed({ text: "wrong", cause: unavailableError }) },
        1
      )
      const inner = Effect.exit(database.transaction(database.write("wrong")))
      const exit = yield* database.transaction(Effect.zipLeft(inner, database.write("write")))
      assert.instanceOf(defectOf(exit), DatabaseUnavailable)
      assert.deepStrictEqual(log, [
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
      const { database, log } = recordDatabase()
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.fork(database.transaction(Deferred.await(end)))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(database.transaction(database.execute("second")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      yield* database.execute("third")
      assert.notInclude(log, "writer: second")
      assert.include(log, "writer: third")
    }))

  it.effect("is not used by a fiber that outlives it", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase()
      const end = yield* Deferred.make<void>()
      const fiber = yield* database.transaction(
        Effect.fork(Effect.zipRight(Deferred.await(end), database.query("late")))
      )
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(log.at(-1), "reader: late")
    }))
})

describe("a conflicting transaction", () => {
  const lost = (times: number): Readonly<Record<string, unknown>> => {
    let remaining = times
    return {
      get write() {
        return remaining-- > 0 ? deadlockError : undefined
      }
    }
  }
  const countBegins = (log: ReadonlyArray<string>) => log.filter((line) => line === "writer: begin immediate").length

  it.effect("is rolled back and retried from its start", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase(lost(1))
      yield* database.transaction(Effect.zip(database.query("read"), database.execute("write")))
      const until = (end: string) => ["begin immediate", "read", "write", end].map((text) => `writer: ${text}`)
      assert.deepStrictEqual(log, [...until("rollback"), "writer is free", ...until("commit"), "writer is free"])
    }))

  it.effect("is reported as unavailable after the third retry", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase(lost(9))
      assert.instanceOf(defectOf(yield* Effect.exit(database.execute("write"))), DatabaseUnavailable)
      assert.strictEqual(countBegins(log), 4)
    }))

  it.effect("is retried even if the conflict occurs on commit or is caught", () =>
    Effect.gen(function*() {
      const atCommit = recordDatabase({
        get commit() {
          return atCommit.log.filter((line) => line === "writer: commit").length > 1 ? undefined : deadlockError
        }
      })
      yield* atCommit.database.execute("write")
      assert.strictEqual(countBegins(atCommit.log), 2)

      const caught = recordDatabase(lost(1))
      const write = Effect.catchAllDefect(caught.database.execute("write"), () => Effect.void)
      yield* caught.database.transaction(write)
      assert.strictEqual(countBegins(caught.log), 2)
    }))

  it.effect("is retried with its outer transaction if it is nested", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase(lost(1))
      yield* database.transaction(database.transaction(database.execute("write")))
      assert.strictEqual(countBegins(log), 2)
    }))

  it.effect("is retried, unlike a transaction that fails for another reason", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase({ write: unavailableError, wrong: new Error("near \"wrong\"") })
      yield* Effect.exit(database.execute("write"))
      yield* Effect.exit(database.execute("wrong"))
      yield* Effect.exit(database.transaction(Effect.fail("refused")))
      assert.strictEqual(countBegins(log), 3)
    }))
})

describe("the tenant scope", () => {
  const tenantsIn = (context: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>) =>
    Effect.gen(function*() {
      const { database, tenants } = recordDatabase()
      yield* context(Effect.all([
        database.query("read"),
        database.execute("write"),
        database.snapshot(database.query("read"))
      ]))
      return tenants
    })
  const actor = makeHostActor({ orgId: "a", scopes: [] })

  it.effect("contains the batch's orgs, or the actor's org outside a batch", () =>
    Effect.gen(function*() {
      const acted = Effect.provideService(Actor, actor)
      const batched = Effect.provideService(TenantScope, ["b", "c"])
      assert.deepStrictEqual(yield* tenantsIn((work) => work), [undefined, undefined, undefined])
      assert.deepStrictEqual(yield* tenantsIn((work) => acted(work)), [["a"], ["a"], ["a"]])
      assert.deepStrictEqual(yield* tenantsIn((work) => acted(batched(work))), [["b", "c"], ["b", "c"], ["b", "c"]])
    }))
})

describe("a snapshot", () => {
  it.effect("uses its own connection, or the connection of its enclosing transaction", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase()
      yield* database.snapshot(database.query("read"))
      yield* database.transaction(database.snapshot(database.query("read")))
      assert.deepStrictEqual(log, [
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

describe("control: storage without transactions", () => {
  it.effect("runs every statement separately", () =>
    Effect.gen(function*() {
      const { database, log } = recordDatabase()
      const bare = Layer.provide(layerUnguarded, Layer.succeed(Database, database))
      const unit = (name: string) =>
        Effect.flatMap(
          Database,
          ({ query, transaction }) => transaction(Effect.zip(query(`${name}1`), query(`${name}2`)))
        )
      yield* Effect.provide(Effect.all([unit("a"), unit("b")], { concurrency: "unbounded" }), bare)
      assert.deepStrictEqual(log, ["reader: a1", "reader: b1", "reader: a2", "reader: b2"])
    }))
})
