/** Tests that destructive operations ask the user for confirmation if the client supports it. */
import { operations } from "@trailbook/core/layer"
import type { Registry } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import { assert, beforeEach, describe, it } from "vitest"
import * as Calls from "../src/OperationCaller.ts"
import type { UnknownRecord } from "../src/tool/compactResult.ts"
import { makeConfirmationQuestion, needsConfirmation } from "../src/tool/confirmation.ts"
import { connectV1, connectV2 } from "./Clients.ts"
import { type Answer, type World, world } from "./World.ts"

const operationOf = (name: string): Operation.Any =>
  operations.find((operation) => operation.name === name) ?? assert.fail(name)

describe("user confirmation", () => {
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

  const connectClient = async (action: "accept" | "decline" | "cancel") => {
    const questions: Array<string> = []
    const client = await connectV2(here, {}, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message)
      return action === "accept" ? { action, content: {} } : { action }
    })
    return { questions, client }
  }
  const cancel = { name: "bookings_cancel", arguments: {} }
  const statusNow = async () => (await here.call("bookings.get", { id: booking.id })).status

  it("names the affected resource before the operation runs", async () => {
    const { questions, client } = await connectClient("accept")
    const answer = await client.callTool({ ...cancel, arguments: { id: booking.id } })
    assert.deepInclude(answer.structuredContent, { status: "cancelled" })
    assert.lengthOf(questions, 1)
    assert.match(
      questions[0] ?? "",
      new RegExp(
        `^Cancel a booking: ${
          String(booking.reference)
        }, guest_wrote \\(name "Ann Lee"\\), Touring Kayak, Sun 2027-06-06 09:00 in America/Denver\\? .*undo`
      )
    )
  })

  it.each(["decline", "cancel"] as const)(
    "stops the operation if the user answers \"%s\"",
    async (action) => {
      const { client } = await connectClient(action)
      const answer = await client.callTool({ ...cancel, arguments: { id: booking.id } })
      assert.isTrue(answer.isError)
      assert.include(JSON.stringify(answer.content), "declined: The user declined")
      assert.strictEqual(await statusNow(), "confirmed")
    }
  )

  it("states the effects before and after the operation", async () => {
    const { questions, client } = await connectClient("accept")
    const raft = await here.call("offerings.create", {
      name: "Half Day",
      kind: "class",
      price_cents: 8500,
      capacity: 9
    })
    const { data: [session] } = await here.call("sessions.create", {
      offering_id: raft.id,
      starts_at: "2027-06-07T16:00:00Z"
    })
    const seat = (name: string, rest: object) =>
      here.call("bookings.create", {
        offering_id: raft.id,
        session_id: session?.id,
        customer: { email: `${name}@example.com`, name },
        ...rest
      })
    const paidBooking = await seat("ann", { quantity: 2 })
    await here.pay(paidBooking.id)
    await seat("bob", {})
    await seat("cy", { hold_minutes: 30 })
    await here.call("bookings.cancel", { id: (await seat("dee", {})).id })
    const { structuredContent } = await client.callTool({ name: "sessions_cancel", arguments: { id: session?.id } })
    assert.deepStrictEqual(questions, [
      "Cancel a class session: Half Day, Mon 2027-06-07 10:00 in America/Denver? This call cancels 3 bookings for 4 spots. " +
      "This call refunds 1 payment, $170.00 in total. 3 emails will be sent to guests. This cannot be undone."
    ])
    const { data: cancelledRows } = await here.call("bookings.list", { session_id: session?.id, status: "cancelled" })
    assert.lengthOf(cancelledRows, 4)
    assert.deepInclude(structuredContent, {
      status: "cancelled",
      affected: { bookings_cancelled: 3, refunds: 1, refunded_cents: 17_000, guests_mailed: 3 },
      note:
        "Canceled: 3 bookings for 4 spots. Refunds started: 1 payment, $170.00 in total. Sending 3 emails to guests. " +
        "To cancel several sessions with one preview, call sessions_cancel_many."
    })
  })

  it("warns that a disputed payment is not refunded", async () => {
    const { questions, client } = await connectClient("accept")
    await here.call("offerings.update", { id: booking.offering_id, price_cents: 4000 })
    const { id, reference } = await here.call("bookings.create", {
      offering_id: booking.offering_id,
      starts_at: "2027-06-08T15:00:00Z",
      customer: { email: "ann@example.com" }
    })
    await here.pay(id)
    await here.dispute(id)
    const { structuredContent } = await client.callTool({ name: "bookings_cancel", arguments: { id } })
    assert.include(
      questions[0],
      `Nothing is refunded. Warning: 1 payment (${String(reference)}) will not be refunded because of a dispute`
    )
    assert.deepInclude(structuredContent, {
      affected: { bookings_cancelled: 1, refunds: 0, refunded_cents: 0, guests_mailed: 1 }
    })
    assert.deepInclude(await here.call("bookings.get", { id }), { status: "cancelled", refund: null })
  })

  it("states the refund and the email before a booking is canceled", async () => {
    const { questions, client } = await connectClient("accept")
    await here.call("offerings.update", { id: booking.offering_id, price_cents: 4000 })
    const { id } = await here.call("bookings.create", {
      offering_id: booking.offering_id,
      starts_at: "2027-06-09T15:00:00Z",
      customer: { email: "ann@example.com" }
    })
    await here.pay(id)
    const { structuredContent } = await client.callTool({ name: "bookings_cancel", arguments: { id } })
    assert.include(
      questions[0],
      "? This call refunds 1 payment, $40.00 in total. 1 email will be sent to guests. bookings_restore can undo this " +
        "within 24 hours, except for emails and refunds."
    )
    assert.deepInclude(structuredContent, {
      affected: { bookings_cancelled: 1, refunds: 1, refunded_cents: 4000, guests_mailed: 1 }
    })
    // The second call changes nothing, so the client shows no question, and the result lists no effects.
    const again = await client.callTool({ name: "bookings_cancel", arguments: { id } })
    assert.notProperty(again.structuredContent, "affected")
    assert.lengthOf(questions, 1)
  })

  it("states how many bookings an offering's deletion would cancel", async () => {
    const { questions, client } = await connectClient("accept")
    const input = { id: booking.offering_id }
    const refusal = await client.callTool({ name: "offerings_delete", arguments: input })
    assert.match(JSON.stringify(refusal.content), /has_bookings/)
    assert.lengthOf(questions, 0)
    const { structuredContent } = await client.callTool({
      name: "offerings_delete",
      arguments: { ...input, cancel_bookings: true }
    })
    assert.deepStrictEqual(questions, [
      "Delete an offering: Touring Kayak? This call cancels 1 booking for 1 spot. Nothing is refunded because nothing was paid online. " +
      "1 email will be sent to guests. This cannot be undone."
    ])
    assert.deepInclude(structuredContent, {
      cancelled: 1,
      refunded: 0,
      affected: { bookings_cancelled: 1, refunds: 0, refunded_cents: 0, guests_mailed: 1 }
    })
  })

  it("states the number of upcoming bookings before a guest is erased", async () => {
    const { questions, client } = await connectClient("accept")
    const { structuredContent } = await client.callTool({
      name: "customers_delete",
      arguments: { id: booking.customer_id }
    })
    assert.deepStrictEqual(questions, [
      "Erase a guest: guest_wrote (name \"Ann Lee\", email \"ann@example.com\")? 1 upcoming booking for this guest remains, " +
      "without a name or contact details. This cannot be undone."
    ])
    assert.deepInclude(structuredContent, { ok: true, affected: { upcoming_bookings: 1 } })
  })

  it("names a proposal's actions and warns about irreversible ones", async () => {
    const asks = (reversible: boolean) => {
      const proposal = {
        id: "7",
        title: "Open Half Day",
        money: !reversible,
        actions: [{ kind: "create_session", reversible, facts: {}, input: {} }]
      }
      const registry: Registry["Type"] = {
        operations,
        stream: () => Effect.void,
        run: (name) => name === "proposals.list" ? Effect.succeed({ data: [proposal] }) : Effect.die(name)
      }
      return here.run(
        makeConfirmationQuestion(Calls.make(registry))(here.caller(), operationOf("proposals.approve"), { id: "7" })
      )
    }
    assert.strictEqual(await asks(true), "Approve a proposal: Open Half Day? This call runs 1 action: create_session.")
    assert.strictEqual(
      await asks(false),
      "Approve a proposal: Open Half Day? This call runs 1 action: create_session. This call refunds money. This cannot be undone."
    )
  })

  it("names a webhook's URL before it is created or deleted", async () => {
    const registry: Registry["Type"] = {
      operations,
      stream: () => Effect.void,
      run: (name) =>
        name === "webhooks.list"
          ? Effect.succeed({ data: [{ id: "7", url: "https://hooks.example.com/a" }] })
          : Effect.die(name)
    }
    const asks = (name: string, input: object) =>
      here.run(makeConfirmationQuestion(Calls.make(registry))(here.caller(), operationOf(name), input as UnknownRecord))
    assert.strictEqual(
      await asks("webhooks.create", { url: "https://evil.example/collect" }),
      "Create a webhook: https://evil.example/collect? This URL will receive guests' names, email addresses, " +
        "phone numbers, and notes with each event (*)."
    )
    assert.isUndefined(await asks("webhooks.create", { url: "nowhere" }))
    assert.strictEqual(
      await asks("webhooks.delete", { id: "7" }),
      "Delete a webhook: https://hooks.example.com/a? The webhook receives no more events, and its secret is deleted. " +
        "This cannot be undone."
    )
    assert.isUndefined(await asks("webhooks.delete", { id: "8" }))
  })

  it("is required for operations that are final or disclose guest data", async () => {
    const names = operations.filter(needsConfirmation).map(({ name }) => name)
    assert.sameMembers(names, [
      "bookings.cancel",
      "conversations.delete",
      "customers.delete",
      "discounts.delete",
      "offerings.delete",
      "proposals.approve",
      "proposals.undo",
      "saved_replies.delete",
      "sessions.cancel",
      "webhooks.create",
      "webhooks.delete"
    ])
    const unheardOf = { ...operationOf("bookings.cancel"), name: "bookings.burn", summary: "Burn it." }
    const question = await here.run(makeConfirmationQuestion(Calls.make(here.registry))(here.caller(), unheardOf, {}))
    assert.strictEqual(question, "Cancel a booking? Burn it. This cannot be undone.")
  })

  it("is skipped for reversible operations and missing resources", async () => {
    const { questions, client } = await connectClient("decline")
    const moveResult = await client.callTool({
      name: "bookings_move",
      arguments: { id: booking.id, starts_at: "2027-06-07T15:00:00Z" }
    })
    assert.notProperty(moveResult, "isError")
    const unknown = await client.callTool({ ...cancel, arguments: { id: crypto.randomUUID() } })
    assert.include(JSON.stringify(unknown.content), "not_found")
    assert.lengthOf(questions, 0)
  })

  it("is skipped if the client cannot ask its user", async () => {
    const [old, new_] = [await connectV1(here), await connectV2(here)]
    for (const client of [old, new_]) {
      const answer = await client.callTool({ ...cancel, arguments: { id: booking.id } })
      assert.deepInclude(answer.structuredContent, { status: "cancelled" })
    }
  })
})
