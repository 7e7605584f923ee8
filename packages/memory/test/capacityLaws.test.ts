/**
 * The laws that an outfitter's offerings are tested by hold here. Each of them is
 * seen to break in `capacityControls.long.test.ts`.
 */
import * as Memory from "@trailbook/memory"
import { offeringInput, zone } from "@trailbook/testkit/arbitraries"
import { capacityLaws, LawBroken, type Rule } from "@trailbook/testkit/capacityLaws"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { outfit } from "./capacityOutfit.ts"

const laws = capacityLaws({ ...outfit, storage: Memory.layer, runs: runs(50, 5) })

describe("offerings keep their promises", () => {
  it.each(laws)("$name: $says", ({ run }) => run())
})

it.each<[string, () => unknown]>([
  ["nothing", async () => {}],
  ["no", () => Promise.reject(new Error("later"))]
])("reports an asynchronous rule as broken, even if it returns %s", async (_, check) => {
  const rule = { name: "a rule", check: check as Rule["check"] }
  // In a story of a step or two it may be that nothing happens, and no rule is asked.
  const law = capacityLaws({ ...outfit, storage: Memory.layer, runs: 20, rules: [rule] }).at(-1)
  const error = await law?.run().then(() => undefined, (error: unknown) => error)
  assert.instanceOf(error, LawBroken)
  assert.include(error.message, "The rule answers with a promise; it has to answer at once.")
})

/** Outfits of any settings in any zone; names tell offerings apart. */
const outfits = FastCheck.record({
  timezone: zone,
  offerings: FastCheck.tuple(offeringInput, offeringInput).map(([one, other]) =>
    [{ ...one, name: "One" }, { ...other, name: "Other" }] as const
  )
})

describe("offerings with any settings keep their promises", () => {
  it.each(laws.map(({ name }) => name))("%s", (name) =>
    FastCheck.assert(
      FastCheck.asyncProperty(outfits, FastCheck.integer(), async (outfit, seed) => {
        const some = capacityLaws({ ...outfit, storage: Memory.layer, runs: 3, seed })
        await some.find((law) => law.name === name)?.run()
      }),
      { numRuns: runs(8, 2), endOnFailure: true }
    ))
})
