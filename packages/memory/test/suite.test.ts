/** Tests that invalid `suite` options are rejected before any test is registered. */
import * as Memory from "@trailbook/memory"
import { type Options, suite } from "@trailbook/testkit/suite"
import { assert, it } from "vitest"

const called = (options: Partial<Options>) => () =>
  suite("memory", Memory.layer, { reference: Memory.layer, ...options })

it.each([0, -1, 0.5, Number.NaN])("the suite refuses to run each law %s times", (runs) => {
  assert.throws(called({ runs }), "runs must be a whole number of at least 1.")
})

it("the suite rejects a known gap whose law does not exist", () => {
  assert.throws(called({ knownGaps: ["orgs/misspelled"] }), "Unknown laws: orgs/misspelled.")
})
