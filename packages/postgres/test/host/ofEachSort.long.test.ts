/** `laws.long.test.ts` runs the other laws. */
import { describe, it } from "@effect/vitest"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import { runs } from "../../../../test/runs.ts"
import { ofEachSort } from "../ofEachSort.ts"
import { database } from "../schema.ts"
import { layer } from "./storage.ts"

describe("storage inside host transactions satisfies the law", () => {
  it.live.each(ofEachSort)("$key: $title", ({ check }) =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* Effect.provide(check({ runs: runs(6, 2), shrink: false, reference: Memory.layer }), layer(url))
    }).pipe(Effect.scoped))
})
