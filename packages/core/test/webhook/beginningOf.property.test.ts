import { beginningOf } from "@trailbook/core/webhook/beginningOf"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

it("a stopped endpoint whose time has not come is delivered to only for an event after its stop", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.option(FastCheck.nat()), FastCheck.boolean(), (stoppedAt, retryDue) => {
      const beginning = beginningOf({ stoppedAt, retryDue })
      expect(beginning).toEqual(
        stoppedAt !== null && !retryDue ? { _tag: "LookAfter", eventId: stoppedAt } : { _tag: "Deliver" }
      )
    })
  )
})
