/** Tests that the laws run without a test runner. */
import { OrgStore } from "@trailbook/core/org"
import * as Memory from "@trailbook/memory"
import { laws, runLaws } from "@trailbook/testkit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { assert, describe, it } from "vitest"

const orgLaws = laws.filter(({ key }) => key.startsWith("orgs/"))

const options = { reference: Memory.layer, laws: orgLaws, runs: 3 }

/** A storage adapter that never finds an org. */
const forgetful = Layer.effect(
  OrgStore,
  Effect.map(OrgStore, (store) => ({ ...store, find: () => Effect.succeed(Option.none()) }))
).pipe(Layer.provideMerge(Memory.layer))

describe("runLaws", () => {
  it("returns one passing result per law for correct storage", async () => {
    const results = await runLaws(Memory.layer, options)
    assert.deepStrictEqual(
      results,
      orgLaws.map(({ key, title }) => ({ key, title, failure: undefined }))
    )
    assert.isNotEmpty(results)
  })

  it("reports each law that the storage breaks, with its smallest failing case", async () => {
    const failures = (await runLaws(forgetful, options)).filter(({ failure }) => failure !== undefined)
    assert.isNotEmpty(failures)
    for (const { failure, key } of failures) assert.match(String(failure), new RegExp(`^Broken: ${key} `))
    assert.match(String(failures[0]?.failure), /Smallest failing case:/)
  })

  it("rejects a number of runs below 1", async () => {
    const error = await runLaws(Memory.layer, { ...options, runs: 0 }).then(() => "none", String)
    assert.include(error, "runs must be a whole number of at least 1.")
  })
})
