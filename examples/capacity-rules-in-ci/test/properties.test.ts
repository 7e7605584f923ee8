import { offeringInput } from "@trailbook/testkit/arbitraries"
import * as FastCheck from "effect/FastCheck"
import { expect, test } from "vitest"
import { labelOf } from "../labelOf.ts"

test("labelOf returns at most 40 characters, including the capacity, for any offering", () => {
  FastCheck.assert(
    FastCheck.property(offeringInput, (offering) => {
      const label = labelOf(offering)
      expect([...label].length).toBeLessThanOrEqual(40)
      expect(label).toContain(`${offering.capacity ?? "default"}`)
    })
  )
})
