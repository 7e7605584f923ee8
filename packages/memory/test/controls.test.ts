/**
 * Every law has been seen to fail: for each there is a storage that breaks it,
 * and the law says so. A law without one proves nothing.
 */
import * as Memory from "@trailbook/memory"
import { laws } from "@trailbook/testkit/laws"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { storeControls } from "./storeControls.ts"
import { unitControls } from "./unitControls.ts"

const controls = [...storeControls, ...unitControls]

describe("a law fails where its promise is broken", () => {
  it.each(controls)("%s: %s", async (key, _how, storage) => {
    const law = laws.find((law) => law.key === key)
    assert.isDefined(law)
    const check = law.check({ runs: 80, shrink: false, reference: Layer.fresh(Memory.layer) })
    const exit = await Effect.runPromise(
      Effect.exit(Effect.timeout(Effect.provide(check, Layer.fresh(storage)), "25 seconds"))
    )
    assert.isTrue(Exit.isFailure(exit), "the law did not notice")
  })

  it("every law has its control", () => {
    assert.deepStrictEqual(controls.map(([key]) => key).sort(), laws.map(({ key }) => key).sort())
  })
})
