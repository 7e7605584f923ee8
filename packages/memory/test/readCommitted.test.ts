/**
 * Core's own locking, under a database that lets units of work run at once: the
 * whole kit, and the races many more times over.
 */
import * as Memory from "@trailbook/memory"
import { laws } from "@trailbook/testkit/laws"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, it } from "vitest"
import * as ReadCommitted from "./readCommitted.ts"

const conditions = { runs: 80, shrink: true, reference: Layer.fresh(Memory.layer) }

describe("core keeps its promises under READ COMMITTED with row locks", () => {
  it.each(laws.filter(({ key }) => /^(constraints|transactions|locks|events|feed|races|model)\//.test(key)))(
    "$key: $says",
    ({ check, key }) =>
      Effect.runPromise(
        Effect.provide(
          check(key.startsWith("races/") ? conditions : { ...conditions, runs: 5 }),
          Layer.fresh(ReadCommitted.layer("sorted"))
        )
      )
  )
})
