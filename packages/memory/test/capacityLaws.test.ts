/**
 * Tests that the laws about an outfitter's offerings hold for the memory adapter. `capacityControls.long.test.ts` shows
 * that each law can fail.
 */
import * as Memory from "@trailbook/memory"
import { capacityLaws, type Rule, ScenarioLawFailed } from "@trailbook/rules"
import { offeringInput, zone } from "@trailbook/testkit/arbitraries"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { outfit } from "./capacityOutfit.ts"

const laws = capacityLaws({ ...outfit, storage: Memory.layer, runs: runs(50, 3, 20) })

describe("the example outfitter passes every capacity law", () => {
  it.each(laws)("$name: $title", ({ run }) => run())
})

it.each<[string, () => unknown]>([
  ["resolves", async () => {}],
  ["rejects", () => Promise.reject(new Error("later"))]
])("capacityLaws rejects an asynchronous rule even if its promise %s", async (_, check) => {
  const rule = { name: "a rule", check: check as Rule["check"] }
  // A scenario with one or two steps may change nothing, in which case the rule is never called.
  const law = capacityLaws({ ...outfit, storage: Memory.layer, runs: 20, rules: [rule] }).at(-1)
  const error = await law?.run().then(() => undefined, (error: unknown) => error)
  assert.instanceOf(error, ScenarioLawFailed)
  assert.include(error.message, "The rule returns a promise. It must return its result synchronously.")
})

/** Setups with random settings and time zones. Their names are distinct, because rules find offerings by name. */
const outfits = FastCheck.record({
  timezone: zone,
  offerings: FastCheck.tuple(offeringInput, offeringInput).map(([one, other]) =>
    [{ ...one, name: "One" }, { ...other, name: "Other" }] as const
  )
})

it("the law about opening hours ignores hours of other seasons", async () => {
  const night = [1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time: "22:00", end_time: "24:00" }))
  const morning = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time: "00:00", end_time: "02:00" }))
  const sundayInMarch = {
    weekday: 0,
    start_time: "22:00",
    end_time: "24:00",
    valid_from: "2027-03-11",
    valid_until: "2027-03-17"
  }
  const raft = {
    name: "Night raft",
    kind: "rental",
    duration_minutes: 240,
    slot_interval_minutes: 120,
    hours: [...night, ...morning, sundayInMarch]
  } as const
  // Without Sunday evening, the 4-hour rental is longer than the hours on Monday morning, so it may end later.
  const seasonal = capacityLaws({
    timezone: "Europe/London",
    offerings: [raft],
    storage: Memory.layer,
    runs: 40,
    seed: 1
  })
  await seasonal.find(({ name }) => name === "inside opening hours")?.run()
})

describe("an outfitter with any settings passes every capacity law", () => {
  it.each(laws.map(({ name }) => name))("%s", (name) =>
    FastCheck.assert(
      FastCheck.asyncProperty(outfits, FastCheck.integer(), async (outfit, seed) => {
        const some = capacityLaws({ ...outfit, storage: Memory.layer, runs: 3, seed })
        await some.find((law) => law.name === name)?.run()
      }),
      { numRuns: runs(8, 1), endOnFailure: true }
    ))
})
