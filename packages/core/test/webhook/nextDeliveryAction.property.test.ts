import { getNextDeliveryAction } from "@trailbook/core/webhook/Deliveries"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

it("retries a paused endpoint early only after a new event", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.option(FastCheck.nat()), FastCheck.boolean(), (stoppedAt, retryDue) => {
      const beginning = getNextDeliveryAction({ stoppedAt, retryDue })
      expect(beginning).toEqual(
        stoppedAt !== null && !retryDue ? { _tag: "LookAfter", eventId: stoppedAt } : { _tag: "Deliver" }
      )
    })
  )
})
