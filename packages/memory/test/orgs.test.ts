import { assert, it } from "@effect/vitest"
import { Orgs, OrgStore } from "@trailbook/core/org"
import * as Memory from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"

const outage = Object.assign(new Error("gone"), { _tag: "DatabaseUnavailable" })

it.effect("does not retry creating an outfitter if the database connection is lost", () => {
  let attempts = 0
  const failingStore = Layer.effect(
    OrgStore,
    Effect.map(OrgStore, (store) =>
      OrgStore.of({
        ...store,
        findBySlug: () =>
          Effect.suspend(() => {
            attempts++
            return Effect.die(outage)
          })
      }))
  )
  return Effect.gen(function*() {
    const { create } = yield* Orgs
    assert.isTrue(Exit.isFailure(yield* Effect.exit(create({ name: "River", timezone: "America/Denver" }))))
    assert.strictEqual(attempts, 1)
  }).pipe(
    Effect.provide(Orgs.layer),
    Effect.provide(failingStore),
    Effect.provide(Layer.merge(Memory.layer, TestIds.layer(1)))
  )
})
