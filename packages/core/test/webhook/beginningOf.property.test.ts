import type { StoredEvent } from "@trailbook/core/port/EventLog"
import * as Instant from "@trailbook/core/time/Instant"
import { beginningOf, passedBy } from "@trailbook/core/webhook/beginningOf"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

it("a stopped endpoint whose time has not come is delivered to only for an event after its stop (§6.3.5)", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.option(FastCheck.nat()), FastCheck.boolean(), (stoppedAt, retryDue) => {
      const beginning = beginningOf({ stoppedAt, retryDue })
      expect(beginning).toEqual(
        stoppedAt !== null && !retryDue ? { _tag: "LookAfter", eventId: stoppedAt } : { _tag: "Deliver" }
      )
    })
  )
})

it("an endpoint that took every event that it wants has come to the head, unless there may be more", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.uniqueArray(FastCheck.integer({ min: 1, max: 200 }), { maxLength: 60 }),
      FastCheck.integer({ min: 1, max: 60 }),
      (ids, limit) => {
        const wanted = ids.sort((a, b) => a - b)
        const events = wanted.slice(0, limit).map((id): StoredEvent => ({
          id,
          orgId: "",
          type: "org.updated",
          data: {},
          customerId: null,
          createdAt: Instant.min
        }))
        const passed = passedBy({ events, head: 200 }, limit)
        // Nothing that it wants and has not had lies before where it goes on.
        const from = passed ?? events.at(-1)?.id ?? 0
        expect(wanted.filter((id) => id <= from && !events.some((event) => event.id === id))).toEqual([])
        if (wanted.length < limit) expect(passed).toBe(200)
      }
    )
  )
})
