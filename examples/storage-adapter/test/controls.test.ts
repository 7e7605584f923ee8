/** A law that cannot fail proves nothing. Each test removes a guard and expects the law to fail. */
import { BookingStore } from "@trailbook/core/booking"
import { UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import * as Memory from "@trailbook/memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { layer } from "../src/JournalStorage.ts"
import { temporaryFile } from "./temporaryFile.ts"

const journal = Layer.unwrapScoped(Effect.map(temporaryFile, layer))

const unguarded = Layer.map(journal, (storage) =>
  Context.add(storage, UnitOfWork, {
    ...Context.get(storage, UnitOfWork),
    run: (work) => work,
    snapshot: (reads) => reads
  }))

const forgetful = Layer.map(journal, (storage) =>
  Context.add(storage, BookingStore, {
    ...Context.get(storage, BookingStore),
    overlapping: (queries) => Effect.succeed(queries.map(() => ({ bookedSpans: [], lapsedAt: null })))
  }))

const breaks = async (key: string, storage: Layer.Layer<Storage, unknown>) => {
  const law = allLaws.find((law) => law.key === key)
  assert.isDefined(law)
  const check = law.check({ runs: 20, seed: 1, shrink: false, reference: Memory.layer })
  const exit = await Effect.runPromiseExit(Effect.provide(check, Layer.fresh(storage)))
  assert.isTrue(Exit.isFailure(exit), "The law did not detect the broken storage.")
}

it.each([
  "transactions/refusal",
  "transactions/interruption",
  "transactions/at-once",
  "transactions/snapshot",
  "locks/offering",
  "events/dense",
  "races/last-places"
])("control: the law %s fails if the storage has no transactions", (key) => breaks(key, unguarded))

it.each(["overlapping/live", "races/last-places", "model/same-answers"])(
  "control: the law %s fails if the storage finds no overlapping bookings",
  (key) => breaks(key, forgetful)
)
