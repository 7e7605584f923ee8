import type { Storage } from "@trailbook/core/storage"
import { capacityLaws, type OfferingSetup } from "@trailbook/rules"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"

const storage: Layer.Layer<Storage> = Layer.die(new Error("Nothing is stored here."))
const raft = { name: "Raft", kind: "rental" } as const
const outfit: OfferingSetup = { storage, timezone: "America/Denver", offerings: [raft] }
const names = (changes: Partial<OfferingSetup>) => capacityLaws({ ...outfit, ...changes }).map(({ name }) => name)

describe("capacityLaws", () => {
  it("rejects an outfitter for which no scenario is possible", () => {
    assert.throws(
      () => capacityLaws({ ...outfit, timezone: "America/Salida" }),
      "The time zone America/Salida does not exist."
    )
    assert.throws(() => capacityLaws({ ...outfit, offerings: [raft, raft] }), "Two offerings have the name \"Raft\".")
    const rule = { name: "moves", check: () => true }
    assert.throws(() => capacityLaws({ ...outfit, rules: [rule] }), "Two laws have the name \"moves\".")
  })

  it("rejects options that would leave the laws with no cases to run", () => {
    const offerings: unknown = []
    assert.throws(
      () => names({ offerings: offerings as OfferingSetup["offerings"] }),
      "At least one offering is required."
    )
    const clas: unknown = [{ name: "Clinic", kind: "clas" }]
    assert.throws(
      () => names({ offerings: clas as OfferingSetup["offerings"] }),
      "The kind of the offering \"Clinic\" must be one of class, appointment, rental."
    )
    for (const none of [0, -1, Number.NaN]) {
      assert.throws(() => names({ runs: none }), "runs must be a whole number of at least 1.")
      assert.throws(() => names({ steps: none }), "steps must be a whole number of at least 1.")
    }
  })

  it("skips irrelevant laws and appends the given rules", () => {
    const rental = names({ rules: [{ name: "rafts dry", check: () => true }] })
    const clinic = names({ offerings: [{ name: "Clinic", kind: "class" }] })
    assert.notInclude(rental, "seats")
    assert.include(rental, "inside opening hours")
    assert.strictEqual(rental.at(-1), "rafts dry")
    assert.include(clinic, "seats")
    assert.notInclude(clinic, "inside opening hours")
  })

  it("opens the storage only when a law runs", async () => {
    const [law] = capacityLaws(outfit)
    const failure: unknown = await law?.run().then(() => undefined, (error: unknown) => error)
    assert.instanceOf(failure, Error)
    assert.strictEqual(failure.message, "Nothing is stored here.")
  })
})
