import { offeringInput } from "@trailbook/testkit/arbitraries"
import * as FastCheck from "effect/FastCheck"
import { expect, test } from "vitest"
import { labelOf } from "../labelOf.ts"

test("names the offering in a label that fits on a badge", () => {
  FastCheck.assert(
    FastCheck.property(offeringInput, (offering) => {
      const label = labelOf(offering)
      expect([...label].length).toBeLessThanOrEqual(40)
      expect(label).toContain(`${offering.capacity ?? "default"}`)
    })
  )
})
