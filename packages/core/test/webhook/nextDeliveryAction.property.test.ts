import { nextDeliveryAction } from "@trailbook/core/webhook/Deliveries"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

it("delivers to a paused endpoint before its retry time only if a new event occurred after the pause", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.option(FastCheck.nat()), FastCheck.boolean(), (stoppedAt, retryDue) => {
      const beginning = nextDeliveryAction({ stoppedAt, retryDue })
      expect(beginning).toEqual(
        stoppedAt !== null && !retryDue ? { _tag: "LookAfter", eventId: stoppedAt } : { _tag: "Deliver" }
      )
    })
  )
})
