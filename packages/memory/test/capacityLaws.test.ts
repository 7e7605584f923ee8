/**
 * The laws that an outfitter's offerings are tested by hold here, and each of
 * them has been seen to break.
 */
import * as Memory from "@trailbook/memory"
import { offeringInput, zone } from "@trailbook/testkit/arbitraries"
import { capacityLaws, LawBroken, type Outfit, type Rule } from "@trailbook/testkit/capacityLaws"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { capacityControls } from "./capacityControls.ts"

/** One place and buffers, so that a story of a few steps meets what it is about. */
const outfit = {
  timezone: "America/Denver",
  offerings: [
    {
      name: "Guided half day",
      kind: "appointment",
      duration_minutes: 240,
      slot_interval_minutes: 60,
      buffer_minutes: 30,
      min_notice_minutes: 120,
      max_advance_days: 20,
      max_per_booking: 6,
      hours: [0, 5, 6].map((weekday) => ({ weekday, start_time: "07:00", end_time: "19:00" }))
    },
    { name: "Raft", kind: "rental", duration_minutes: 1440, capacity: 3, max_per_booking: 2, max_periods: 3 },
    { name: "Roll clinic", kind: "class", capacity: 3, max_per_booking: 2 }
  ]
} as const satisfies Omit<Outfit, "storage">

const laws = capacityLaws({ ...outfit, storage: Memory.layer, runs: runs(50, 15) })

describe("offerings keep their promises", () => {
  it.each(laws)("$name: $says", ({ run }) => run())
})

it.each<[string, () => unknown]>([
  ["nothing", async () => {}],
  ["no", () => Promise.reject(new Error("later"))]
])("a rule that answers later is broken, though it say %s", async (_, check) => {
  const rule = { name: "a rule", check: check as Rule["check"] }
  const law = capacityLaws({ ...outfit, storage: Memory.layer, runs: 1, rules: [rule] }).at(-1)
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

describe("offerings of any settings keep their promises", () => {
  it.each(laws.map(({ name }) => name))("%s", (name) =>
    FastCheck.assert(
      FastCheck.asyncProperty(outfits, FastCheck.integer(), async (outfit, seed) => {
        const some = capacityLaws({ ...outfit, storage: Memory.layer, runs: 3, seed })
        await some.find((law) => law.name === name)?.run()
      }),
      { numRuns: runs(8, 2), endOnFailure: true }
    ))
})

describe("a capacity law breaks where its promise is broken", () => {
  it.each(capacityControls)("%s: %s", async (name, _how, storage) => {
    // A law that needs four steps in a certain order may miss them in fifty stories, and hardly in two hundred.
    const law = capacityLaws({ ...outfit, storage, seed: 1, runs: 200 }).find((law) => law.name === name)
    assert.isDefined(law)
    const broken: unknown = await law.run().then(() => undefined, (error: unknown) => error)
    assert.instanceOf(broken, LawBroken)
    assert.strictEqual(broken.law, name)
  })

  it("every law has its control", () => {
    assert.deepStrictEqual(
      [...new Set(capacityControls.map(([name]) => name))].sort(),
      laws.map(({ name }) => name).sort()
    )
  })
})
