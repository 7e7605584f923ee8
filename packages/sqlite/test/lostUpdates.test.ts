import { assert, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { storageUnguarded } from "@trailbook/sql/testing/unguarded"
import { layer } from "@trailbook/sqlite"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { newId, org } from "./sample.ts"
import { temporaryFile } from "./temporaryFile.ts"

/** Runs 20 concurrent transactions that each read a number and store the next one. */
const runIncrements = Effect.gen(function*() {
  const orgs = yield* OrgStore
  const { run } = yield* UnitOfWork
  const id = newId()
  yield* orgs.put({ ...org(id), opsDailyCap: 0 })
  const next = run(Effect.flatMap(orgs.lock(id), (row) => {
    const before = Option.getOrThrow(row)
    return orgs.put({ ...before, opsDailyCap: before.opsDailyCap + 1 })
  }))
  yield* Effect.all(Array.from({ length: 20 }, () => next), { concurrency: "unbounded" })
  return Option.getOrThrow(yield* orgs.find(id)).opsDailyCap
})

const inNewFile = (of: (filename: string) => Layer.Layer<Storage, unknown>) =>
  Effect.flatMap(temporaryFile, (filename) => Effect.provide(runIncrements, of(filename)))

it.scoped("20 concurrent transactions that increment a number lose no update", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* inNewFile((filename) => layer({ filename })), 20)
  }))

it.scoped("control: updates are lost if the increments run without transactions", () =>
  Effect.gen(function*() {
    assert.isBelow(
      yield* inNewFile((filename) => Layer.provide(storageUnguarded, SqliteDatabase.layer({ filename }))),
      20
    )
  }))
