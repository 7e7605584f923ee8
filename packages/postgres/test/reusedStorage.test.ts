import { SqlClient } from "@effect/sql/SqlClient"
import { it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import type { Storage } from "@trailbook/core/storage"
import type { Services } from "@trailbook/postgres"
import { oneOfEach } from "@trailbook/testkit/law/oneOfEach"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { assert, describe } from "vitest"
import { reusedStorage } from "./reusedStorage.ts"

const asLaw = <A, E>(law: Effect.Effect<A, E, Services | Storage>) => Effect.provide(law, Layer.fresh(reusedStorage))

const run = (statement: string) => Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement))

const databaseName = Effect.map(run("select current_database() as name"), ([row]) => row)

describe("reusedStorage", () => {
  it.live("provides the same database without the rows of the previous law", () =>
    Effect.gen(function*() {
      const first = yield* asLaw(Effect.zip(databaseName, oneOfEach))
      const second = yield* asLaw(
        Effect.zip(databaseName, Effect.flatMap(OrgStore, ({ find }) => find(first[1].org.id)))
      )
      assert.deepStrictEqual(second, [first[0], Option.none()])
    }))

  it.live("rejects a law that leaves a changed database, and does not reuse the database", () =>
    Effect.gen(function*() {
      const before = yield* asLaw(databaseName)
      for (
        const change of [
          "insert into trailbook.migrations (number, name) values (0, 'law')",
          `do $$ begin execute format('alter database %I set jit = off', current_database()); end $$`,
          "select nextval('trailbook.hosted_units_id_seq')"
        ]
      ) {
        const exit = yield* Effect.exit(asLaw(run(change)))
        assert.isTrue(Exit.isFailure(exit), change)
        if (Exit.isFailure(exit)) assert.include(Cause.pretty(exit.cause), "cannot be reused", change)
      }
      assert.notDeepEqual(yield* asLaw(databaseName), before)
    }))

  it.live("does not reuse the database of a failed law", () =>
    Effect.gen(function*() {
      const before = yield* asLaw(databaseName)
      yield* Effect.exit(asLaw(Effect.fail("broken")))
      assert.notDeepEqual(yield* asLaw(databaseName), before)
    }))
})
