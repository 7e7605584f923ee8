import { assert, it } from "@effect/vitest"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { Database } from "@trailbook/sql/Database"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { layer } from "@trailbook/sqlite"
import { open } from "@trailbook/sqlite/driver"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { createOutfit, event } from "./sample.ts"
import { temporaryFile } from "./temporaryFile.ts"

/** Returns the failure that a server would report. */
const defect = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(work), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

it.scoped("a database that another process has locked is reported as unavailable", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const { execute, transaction } = yield* Database
      const { orgId } = yield* createOutfit
      const log = yield* EventLog
      yield* transaction(execute("pragma busy_timeout = 50"))

      const other = yield* open(filename)
      other.exec("begin immediate")
      const error = yield* defect(log.append([event(orgId)]))
      assert.instanceOf(error, DatabaseUnavailable)
      assert.strictEqual(error.message, "The database is unavailable: database is locked")

      other.exec("commit")
      yield* log.append([event(orgId)])
      assert.strictEqual((yield* log.latest(orgId, 9)).length, 1)
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scoped("a full disk makes the database unavailable until space is free", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const { execute, query, transaction } = yield* Database
      const { orgId } = yield* createOutfit
      const log = yield* EventLog
      const { run } = yield* UnitOfWork
      const [size] = yield* query<{ readonly page_count: number }>("pragma page_count")
      yield* transaction(execute(`pragma max_page_count = ${(size?.page_count ?? 0) + 4}`))

      const large = Array.from({ length: 100 }, () => event(orgId, { data: "x".repeat(1000) }))
      assert.instanceOf(yield* defect(run(log.append(large))), DatabaseUnavailable)
      assert.deepStrictEqual(yield* log.latest(orgId, 9), [])

      yield* transaction(execute("pragma max_page_count = 100000"))
      yield* log.append(large)
      assert.strictEqual((yield* log.latest(orgId, 200)).length, 100)
    }).pipe(Effect.provide(layer({ filename })))
  }))
