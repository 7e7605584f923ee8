/** How the kit is called: what it could not be held to is said before a test is registered. */
import * as Memory from "@trailbook/memory"
import { type Options, suite } from "@trailbook/testkit/suite"
import { assert, it } from "vitest"

const called = (options: Partial<Options>) => () =>
  suite("memory", Memory.layer, { reference: Memory.layer, ...options })

it.each([0, -1, 0.5, Number.NaN])("laws are not tried %s times", (runs) => {
  assert.throws(called({ runs }), "runs must be a whole number of at least 1.")
})

it("a gap is one of a law that there is", () => {
  assert.throws(called({ knownGaps: ["orgs/misspelled"] }), "There is no law orgs/misspelled.")
})
