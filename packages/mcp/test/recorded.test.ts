/** Tests that the owner sees assistants' calls: the caller, the tool, and the outcome, but no input. */
import type { Actor } from "@trailbook/core/actor"
import { assert, beforeEach, describe, it } from "vitest"
import * as McpHandlers from "../src/McpHandlers.ts"
import { allTools } from "../src/ToolFilter.ts"
import { connectV1, connectV2 } from "./Clients.ts"
import { type Answer, type World, world } from "./World.ts"

const scopes = new Set(["read", "write"] as const)

describe("assistant activity", () => {
  let here: World
  let tools: McpHandlers.McpHandlers["tools"]
  let booking: Answer
  let application: Actor["Type"]
  let key: Actor["Type"]
  beforeEach(async () => {
    here = await world()
    tools = (await here.run(McpHandlers.make)).tools
    const { orgId } = here.actor
    application = { _tag: "Application", orgId, grantId: "grant", personal: true, scopes }
    key = { _tag: "Key", orgId, keyId: "key", source: "mcp", scopes }
    const { id } = await here.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 9 })
    booking = await here.call("bookings.create", {
      offering_id: id,
      starts_at: "2027-06-06T15:00:00Z",
      customer: { email: "ann@example.com", name: "Ann Lee" }
    })
  })

  const call = (name: string, input: object, actor: Actor["Type"]) =>
    here.run(tools.call({ actor, toolFilter: allTools }, tools.find(name) ?? assert.fail(name), { ...input }))
  const activity = async (query: object = {}) =>
    (await here.call("assistants.activity", query)).data.map(({ application: by, booking, operation, outcome }) => [
      (by as Answer).id,
      operation,
      outcome,
      (booking as { readonly reference: string } | null)?.reference ?? null
    ])

  it("lists every tool call with its outcome and booking", async () => {
    const { data: { preview_token } } = await call("bookings_cancel", { id: booking.reference }, application)
      .then(({ structuredContent: data = {} }) => ({ data }))
    await call("bookings_cancel", { id: booking.id, preview_token: "wrong" }, application)
    await call("bookings_cancel", { id: booking.id, preview_token }, application)
    await call("bookings_get", { id: crypto.randomUUID() }, key)
    await call("desk_find", { q: "ann@example.com" }, key)
    await call("org_update", { ops_daily_cap: 5 }, key)
    await call("bookings_create", {
      offering_id: booking.offering_id,
      starts_at: "2027-06-07T15:00:00Z",
      customer: { email: "bob@example.com" }
    }, key)
    const { data: [newBooking] } = await here.call("bookings.list", { order: "desc", limit: 1 })
    assert.deepStrictEqual(await activity(), [
      ["key", "bookings.create", "done", newBooking?.reference],
      ["key", "org.update", "forbidden", null],
      ["key", "desk.find", "done", null],
      ["key", "bookings.get", "not_found", null],
      ["grant", "bookings.cancel", "done", booking.reference],
      ["grant", "bookings.cancel", "preview_outdated", booking.reference],
      ["grant", "bookings.cancel", "preview", booking.reference]
    ])
    assert.lengthOf(await activity({ application: "grant" }), 3)
    assert.lengthOf(await activity({ operation: "bookings.cancel", application: "key" }), 0)
  })

  it("contains no input, and no text from invalid input", async () => {
    await call("customers_list", { q: "Ann Lee" }, key)
    await call("bookings_get", { id: "Ann Lee <ann@example.com>" }, key)
    await call("messages_send", { booking_id: "ann@example.com", body: "Hello Ann Lee" }, key)
    const text = JSON.stringify(await here.call("assistants.activity"))
    assert.notMatch(text, /ann/i)
    assert.lengthOf(await activity(), 3)
  })

  it("contains each call only once", async () => {
    const [first, second] = [await connectV1(here, { actor: key }), await connectV2(here, { actor: application })]
    await first.callTool({ name: "org_get", arguments: {} })
    await second.callTool({ name: "org_get", arguments: {} })
    // A page that is too long is read again with a lower limit, but the owner sees only one call.
    await second.callTool({ name: "bookings_list", arguments: { limit: 500 } })
    assert.deepStrictEqual((await activity()).map(([by, operation]) => [by, operation]), [
      ["grant", "bookings.list"],
      ["grant", "org.get"],
      ["key", "org.get"]
    ])
  })

  it("requires the admin scope of the same outfitter", async () => {
    await call("org_get", {}, key)
    assert.lengthOf((await here.call("assistants.activity", {}, here.neighbor)).data, 0)
    const { structuredContent } = await call("assistants_activity", {}, key)
    assert.deepInclude(structuredContent, { code: "forbidden" })
  })
})
