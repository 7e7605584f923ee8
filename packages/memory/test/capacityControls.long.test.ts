import * as Memory from "@trailbook/memory"
import { capacityLaws, ScenarioLawFailed } from "@trailbook/rules"
import { assert, describe, it } from "vitest"
import { capacityControls } from "./capacityControls.ts"
import { outfit } from "./capacityOutfit.ts"

describe("negative controls for the capacity laws", () => {
  it.each(capacityControls)("%s fails if the storage %s", async (name, _how, storage) => {
    // Some laws fail only after four steps in a specific order. A run of 50 scenarios may miss that order, but a run of
    // 200 almost certainly includes it.
    const law = capacityLaws({ ...outfit, storage, seed: 1, runs: 200 }).find((law) => law.name === name)
    assert.isDefined(law)
    const failure: unknown = await law.run().then(() => undefined, (error: unknown) => error)
    assert.instanceOf(failure, ScenarioLawFailed)
    assert.strictEqual(failure.law, name)
  })

  it("exist for every law", () => {
    assert.deepStrictEqual(
      [...new Set(capacityControls.map(([name]) => name))].sort(),
      capacityLaws({ ...outfit, storage: Memory.layer }).map(({ name }) => name).sort()
    )
  })
})
