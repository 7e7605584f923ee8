import { operations } from "@trailbook/core/layer"
import * as Operation from "@trailbook/core/operation/Operation"
import { hostConflict, Refusal, refuse } from "@trailbook/core/Refusal"
import { formatExampleMessage, getHttpStatus, refusalCodes, refusalKinds, refusals } from "@trailbook/core/refusals"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"

describe("every error code", () => {
  it.each(refusalCodes)("%s refers only to operations that exist", (code) => {
    const { next, when } = refusals[code]
    const operationNames = Array.from(`${when} ${next}`.matchAll(/`([a-z]+\.[a-z_]+)`/g), ([, name]) => name)
    assert.includeMembers(operations.map(({ name }): string | undefined => name), operationNames)
  })

  it("has its own example message", () => {
    const messages = refusalCodes.map(formatExampleMessage)
    assert.strictEqual(new Set(messages).size, refusalCodes.length)
    for (const message of messages) assert.notMatch(message, /undefined|\[object/)
  })
})

it("derives the kind and HTTP status of a refusal from its code", () => {
  assert.strictEqual(refuse("has_bookings", 1, 2).kind, "conflict")
  assert.strictEqual(new Refusal({ code: "export_limited", message: "Later." }).kind, "exhausted")
  assert.strictEqual(getHttpStatus("export_limited"), refusalKinds.exhausted.status)
  assert.strictEqual(hostConflict("waiver_missing", "Sign first.").kind, "conflict")
  // A host application's code is not a Trailbook code, even if a built-in property has the same name.
  assert.strictEqual(getHttpStatus("constructor"), 409)
})

it("formats a code's message with the values that the code requires", () => {
  assert.strictEqual(refuse("slot_full", 2, 0).message, "This start time is fully booked.")
  assert.strictEqual(
    refuse("has_bookings", 1, 0).message.slice(0, 66),
    "Deleting this offering would cancel 1 upcoming booking and 0 holds"
  )
  // @ts-expect-error how many were wanted, and how many are left
  refuse("slot_full", 2)
})

it("rejects an undeclared code at compile time", () => {
  // @ts-expect-error
  assert.instanceOf(new Refusal({ code: "slot_ful", message: "No." }), Refusal)
  const declared = {
    route: ["GET", "/x"],
    summary: "",
    input: Schema.Struct({}),
    output: Schema.Struct({}),
    tool: { title: "", toolset: "admin", description: "" }
  } as const
  // @ts-expect-error
  assert.deepStrictEqual(Operation.make("x.get", { ...declared, refusals: ["slot_ful"] }).refusals, ["slot_ful"])
})
