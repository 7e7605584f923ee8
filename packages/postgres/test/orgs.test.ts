import { assert, it } from "@effect/vitest"
import { Orgs, OrgStore } from "@trailbook/core/org"
import { layer } from "@trailbook/postgres"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database } from "./schema.ts"

it.scopedLive("outfitters with the same name that are created concurrently get different URL slugs", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    yield* Effect.gen(function*() {
      const { create } = yield* Orgs
      // In the first round, transactions wait for connections, so they run one after another.
      for (const name of ["Arkansas", "Green", "Salida River Co."]) {
        const orgs = yield* Effect.all(
          Array.from({ length: 6 }, () => create({ name, timezone: "America/Denver" })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(orgs.map(({ slug }) => slug)).size, orgs.length)
      }
      const slugs = (yield* (yield* OrgStore).all).map(({ slug }) => slug)
      assert.includeMembers(slugs, ["arkansas", "green", "salida-river-co"])
    }).pipe(Effect.provide(Orgs.layer), Effect.provide(Layer.merge(layer({ url }), TestIds.layer(1))))
  }))
