import { assert, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { layer } from "@trailbook/postgres"
import * as PostgresDatabase from "@trailbook/postgres/PostgresDatabase"
import { storageUnguarded } from "@trailbook/sql/testing/unguarded"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { database } from "./schema.ts"

/** Runs 20 concurrent transactions that each read a number and store the next number. */
const runIncrements = Effect.gen(function*() {
  const orgs = yield* OrgStore
  const { run } = yield* UnitOfWork
  const org = yield* createEmptyOrg
  yield* orgs.put({ ...org, opsDailyCap: 0 })
  const next = run(Effect.flatMap(orgs.lock(org.id), (row) => {
    const before = Option.getOrThrow(row)
    return orgs.put({ ...before, opsDailyCap: before.opsDailyCap + 1 })
  }))
  yield* Effect.all(Array.from({ length: 20 }, () => next), { concurrency: "unbounded" })
  return Option.getOrThrow(yield* orgs.find(org.id)).opsDailyCap
})

const inNewDatabase = (of: (url: string) => Layer.Layer<Storage, unknown>) =>
  Effect.flatMap(database(), ({ url }) => Effect.provide(runIncrements, of(url)))

it.scopedLive("20 concurrent transactions that increment a number lose no update", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* inNewDatabase((url) => layer({ url })), 20)
  }))

it.scopedLive("control: updates are lost if the increments run without transactions", () =>
  Effect.gen(function*() {
    assert.isBelow(yield* inNewDatabase((url) => Layer.provide(storageUnguarded, PostgresDatabase.layer({ url }))), 20)
  }))
