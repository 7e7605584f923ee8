import { classifyResponse, deliveryFaults } from "@trailbook/core/webhook/Webhook"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

it("treats only a 2xx status as a successful delivery", () => {
  for (let status = 100; status < 1000; status++) {
    const isTaken = String(status).startsWith("2") && status < 300
    expect(classifyResponse({ _tag: "Answered", status })).toEqual(
      isTaken ? { _tag: "Taken", status } : { _tag: "Refused", status, fault: "status" }
    )
  }
})

it("reports status 0 and the kind of fault if there is no response", () => {
  const faults = deliveryFaults.flatMap((fault) => fault === "status" ? [] : [fault])
  FastCheck.assert(FastCheck.property(FastCheck.constantFrom(...faults), (fault) => {
    expect(classifyResponse({ _tag: "Unreachable", fault })).toEqual({ _tag: "Refused", status: 0, fault })
  }))
})
