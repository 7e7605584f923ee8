/** Before something is ended for good the person at the client is asked, where the client can ask. */
import { assert, beforeEach, describe, it } from "vitest"
import { connectV1, connectV2 } from "./Clients.ts"
import { type Answer, type World, world } from "./World.ts"

describe("confirmation", () => {
  let here: World
  let booking: Answer
  beforeEach(async () => {
    here = await world()
    const { id } = await here.call("offerings.create", { name: "Touring Kayak", kind: "rental" })
    booking = await here.call("bookings.create", {
      offering_id: id,
      starts_at: "2027-06-06T15:00:00Z",
      customer: { email: "ann@example.com", name: "Ann Lee" }
    })
  })

  const asking = async (action: "accept" | "decline" | "cancel") => {
    const asked: Array<string> = []
    const client = await connectV2(here, {}, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message)
      return action === "accept" ? { action, content: {} } : { action }
    })
    return { asked, client }
  }
  const cancel = { name: "bookings_cancel", arguments: {} }
  const statusNow = async () => (await here.call("bookings.get", { id: booking.id })).status

  it("a yes lets it happen, and the question names what ends", async () => {
    const { asked, client } = await asking("accept")
    const answer = await client.callTool({ ...cancel, arguments: { id: booking.id } })
    assert.deepInclude(answer.structuredContent, { status: "cancelled" })
    assert.lengthOf(asked, 1)
    assert.match(
      asked[0] ?? "",
      new RegExp(
        `^Cancel a booking: ${
          String(booking.reference)
        }, Ann Lee, Touring Kayak, Sun 2027-06-06 09:00 in America/Denver\\? .*undone`
      )
    )
  })

  it.each(["decline", "cancel"] as const)("a %s leaves everything as it is, and says so", async (action) => {
    const { client } = await asking(action)
    const answer = await client.callTool({ ...cancel, arguments: { id: booking.id } })
    assert.isTrue(answer.isError)
    assert.include(JSON.stringify(answer.content), "declined: The person was asked and did not agree")
    assert.strictEqual(await statusNow(), "confirmed")
  })

  it("what has no name is asked about in the words of its operation", async () => {
    const { asked, client } = await asking("decline")
    await client.callTool({ name: "webhooks_delete", arguments: { id: crypto.randomUUID() } })
    assert.deepStrictEqual(asked, ["Delete a webhook? Stop pushing events to an address and forget it."])
  })

  it("nobody is asked before what can be undone, nor about what is not there", async () => {
    const { asked, client } = await asking("decline")
    const moved = await client.callTool({
      name: "bookings_move",
      arguments: { id: booking.id, starts_at: "2027-06-07T15:00:00Z" }
    })
    assert.notProperty(moved, "isError")
    const unknown = await client.callTool({ ...cancel, arguments: { id: crypto.randomUUID() } })
    assert.include(JSON.stringify(unknown.content), "not_found")
    assert.lengthOf(asked, 0)
  })

  it("a client that cannot ask is served all the same", async () => {
    const [old, new_] = [await connectV1(here), await connectV2(here)]
    for (const client of [old, new_]) {
      const answer = await client.callTool({ ...cancel, arguments: { id: booking.id } })
      assert.deepInclude(answer.structuredContent, { status: "cancelled" })
    }
  })
})
