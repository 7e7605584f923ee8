/**
 * Tests that a destructive call can be previewed, and that the preview's token permits only that call, for 10 minutes.
 */
import type { Actor } from "@trailbook/core/actor"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { assert, beforeEach, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { confirmationPolicies, type ConfirmationPolicy } from "../src/Caller.ts"
import * as McpHandlers from "../src/McpHandlers.ts"
import { staffTools } from "../src/staff/staffTools.ts"
import { mayNeedPreview } from "../src/tool/confirmation.ts"
import { allTools } from "../src/ToolFilter.ts"
import { connectV2 } from "./Clients.ts"
import { type Answer, start, type World, world } from "./World.ts"

const allScopes = new Set(["read", "write", "admin"] as const)

const application = ({ orgId }: Actor["Type"], grantId = "1"): Actor["Type"] => ({
  _tag: "Application",
  orgId,
  grantId,
  personal: true,
  scopes: allScopes
})

/** Returns the total of the undisputed online payments, minus refunds. */
const undisputedCents = (entries: ReadonlyArray<Answer>): number => {
  const payments = entries.filter(({ status }) => status !== "failed")
  const disputedIds = new Set(payments.filter(({ reason }) => reason === "dispute").map(({ refund_of }) => refund_of))
  return payments.reduce((sum, { amount_cents, id, kind, refund_of }) => {
    const isDisputed = disputedIds.has(kind === "payment" ? id : refund_of)
    return isDisputed ? sum : sum + Number(amount_cents) * (kind === "payment" ? 1 : -1)
  }, 0)
}

describe("a tool call preview", () => {
  let here: World
  let tools: McpHandlers.McpHandlers["tools"]
  let booking: Answer
  let other: Answer
  beforeEach(async () => {
    here = await world()
    tools = (await here.run(McpHandlers.make)).tools
    const { id } = await here.call("offerings.create", {
      name: "Touring Kayak",
      kind: "rental",
      capacity: 9,
      price_cents: 4000
    })
    const book = (name: string) =>
      here.call("bookings.create", {
        offering_id: id,
        starts_at: "2027-06-06T15:00:00Z",
        customer: { email: `${name}@example.com`, name }
      })
    booking = await book("ann")
    other = await book("bob")
  })

  const call = async (name: string, input: object, actor = application(here.actor), mode?: ConfirmationPolicy) => {
    const caller = { actor, toolFilter: allTools, ...(mode === undefined ? {} : { confirmations: mode }) }
    const { content, isError = false, structuredContent: data = {} } = await here.run(
      tools.call(caller, tools.find(name) ?? assert.fail(name), { ...input })
    )
    return { data, isError, text: content.map(({ text }) => text).join("\n") }
  }
  const statusOf = async ({ id }: Answer) => (await here.call("bookings.get", { id })).status

  it("is not shown without permission for the call", async () => {
    const clerk = { ...application(here.actor), scopes: new Set(["read", "write"] as const) }
    for (const extra of [{}, { preview: true }]) {
      const { data } = await call("bookings_cancel", { id: booking.id, refund: "none", ...extra }, clerk)
      assert.deepInclude(data, { code: "forbidden" })
    }
    assert.strictEqual(await statusOf(booking), "confirmed")
    assert.deepInclude((await call("bookings_cancel", { id: booking.id }, clerk)).data, { preview: true })
    assert.deepInclude((await call("bookings_cancel", { id: booking.id, refund: "none" })).data, { preview: true })
  })

  it("shows the effects and returns a token that permits the call", async () => {
    const { data, text } = await call("bookings_cancel", { id: booking.reference })
    assert.strictEqual(await statusOf(booking), "confirmed")
    assert.deepInclude(data, {
      preview: true,
      affected: { bookings_cancelled: 1, refunds: 0, refunded_cents: 0, guests_mailed: 1 }
    })
    for (const view of [text, JSON.stringify(data)]) {
      for (
        const fact of [
          String(booking.reference),
          "1 email will be sent to guests",
          "can undo this",
          "nothing was changed"
        ]
      ) {
        assert.include(view, fact)
      }
    }
    const result = await call("bookings_cancel", { id: booking.id, preview_token: data.preview_token })
    assert.deepInclude(result.data, { status: "cancelled" })
    const offering = await call("offerings_delete", { id: booking.offering_id, preview: true })
    assert.deepInclude(offering.data, { code: "has_bookings" })
    const again = await call("bookings_cancel", { id: booking.id, preview: true })
    assert.deepEqual(again.data.effects, [
      "This call would change nothing: the change was already made, or the call would be rejected."
    ])
  })

  it("covers several sessions, and becomes invalid after a new booking", async () => {
    const { id: offering_id } = await here.call("offerings.create", { name: "Rafting", kind: "class", capacity: 9 })
    const { data: sessions } = await here.call("sessions.create", {
      offering_id,
      starts_at: "2027-06-07T15:00:00Z",
      repeat_weeks: 3
    })
    const ids = sessions.map(({ id }) => id)
    const book = (session_id: string | undefined, quantity: number) =>
      here.call("bookings.create", { offering_id, session_id, quantity, customer: { email: "cy@example.com" } })
    const bookings = [await book(ids[0], 2), await book(ids[1], 3)]
    const first = await call("sessions_cancel_many", { ids })
    assert.deepInclude(first.data, {
      preview: true,
      affected: { bookings_cancelled: 2, refunds: 0, refunded_cents: 0, guests_mailed: 2 }
    })
    assert.match(first.text, /Rafting, Mon 2027-06-07 09:00 in America\/Denver, 2 spots; .* 3 spots; .* 0 spots/)
    bookings.push(await book(ids[2], 1))
    const refusal = await call("sessions_cancel_many", { ids, preview_token: first.data.preview_token })
    assert.deepInclude(refusal.data, { code: "preview_outdated" })
    const { data: { preview_token } } = await call("sessions_cancel_many", { ids, preview: true })
    const result = await call("sessions_cancel_many", { ids, preview_token })
    assert.deepInclude(result.data, {
      affected: { bookings_cancelled: 3, refunds: 0, refunded_cents: 0, guests_mailed: 3 }
    })
    for (const booking of bookings) assert.strictEqual(await statusOf(booking), "cancelled")
    const missingResult = await call("sessions_cancel_many", { ids: [crypto.randomUUID()] }, here.actor, "never")
    assert.deepInclude(missingResult.data, { code: "not_found" })
    const subset = await call("sessions_cancel_many", { ids: [ids[0], crypto.randomUUID()] }, here.actor, "never")
    assert.match(String(subset.data.note), /^Only these 1 of 2 sessions were canceled/)
  })

  it("binds its token to the operation, input, caller, and booking state", async () => {
    const fields = FastCheck.record({
      isOtherInput: FastCheck.boolean(),
      isOtherOperation: FastCheck.boolean(),
      isOtherCaller: FastCheck.constantFrom("no", "grant", "key", "org"),
      isOtherState: FastCheck.boolean(),
      isOtherToken: FastCheck.boolean(),
      minutes: FastCheck.integer({ min: 0, max: 20 })
    })
    let acceptedCount = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(fields, async (other_) => {
        await here.run(here.clock.set(start))
        const fresh = await here.call("bookings.create", {
          offering_id: booking.offering_id,
          starts_at: "2027-07-06T15:00:00Z",
          customer: { email: "cy@example.com" }
        })
        const { data } = await call("bookings_cancel", { id: fresh.id, preview: true })
        const token = String(data.preview_token)
        if (other_.isOtherState) await here.call("bookings.move", { id: fresh.id, starts_at: "2027-07-07T15:00:00Z" })
        await here.run(here.clock.set(Instant.addMinutes(start, other_.minutes)))
        const actors: Record<string, Actor["Type"]> = {
          no: application(here.actor),
          grant: application(here.actor, "2"),
          key: { _tag: "Key", orgId: here.actor.orgId, keyId: "1", source: "mcp", scopes: allScopes },
          org: application(here.neighbor)
        }
        const result = await call(
          other_.isOtherOperation ? "payments_refund" : "bookings_cancel",
          {
            id: other_.isOtherInput ? other.id : fresh.id,
            preview_token: other_.isOtherToken ? token.replace(/.$/, (last) => last === "0" ? "1" : "0") : token,
            ...(other_.isOtherOperation ? { method: "cash", amount_cents: 1 } : {})
          },
          actors[other_.isOtherCaller]
        )
        const { isOtherInput, isOtherOperation, isOtherState, isOtherToken, minutes } = other_
        const isSame = !isOtherInput && !isOtherOperation && !isOtherState && !isOtherToken &&
          other_.isOtherCaller === "no" && minutes < 10
        assert.strictEqual(await statusOf(fresh), isSame ? "cancelled" : "confirmed")
        assert.strictEqual(await statusOf(other), "confirmed")
        if (isSame) acceptedCount++
        else if (other_.isOtherCaller !== "org") assert.deepInclude(result.data, { code: "preview_outdated" })
        if (!isSame) await here.call("bookings.cancel", { id: fresh.id })
      }),
      {
        numRuns: 60,
        examples: [[{
          isOtherInput: false,
          isOtherOperation: false,
          isOtherCaller: "no",
          isOtherState: false,
          isOtherToken: false,
          minutes: 9
        }]]
      }
    )
    assert.isAbove(acceptedCount, 0)
  })

  it("is shown on request for each operation that supports it", async () => {
    const key = { _tag: "Key", orgId: here.actor.orgId, keyId: "1", source: "mcp", scopes: allScopes } as const
    const { data } = await call("bookings_cancel", { id: booking.id, preview: true }, key)
    assert.isTrue(data.preview)
    assert.strictEqual(await statusOf(booking), "confirmed")
    const raft = await here.call("offerings.create", { name: "Raft", kind: "class", capacity: 9 })
    const { data: [session] } = await here.call("sessions.create", {
      offering_id: raft.id,
      starts_at: "2027-06-07T15:00:00Z"
    })
    const reply = await here.call("saved_replies.create", { title: "Parking", body: "At the put-in." })
    const discount = await here.call("discounts.create", { code: "RIVER", percent_bps: 1000 })
    const inputs: Record<string, object> = {
      "messages.broadcast": { target: { date: "2027-06-06" }, body: "High water." },
      "payments.refund": { id: booking.id, method: "cash", amount_cents: 500 },
      "sessions.cancel": { id: session?.id },
      "sessions.cancel_many": { ids: [session?.id] },
      "offerings.delete": { id: booking.offering_id, cancel_bookings: true },
      "customers.delete": { id: booking.customer_id },
      "saved_replies.delete": { id: reply.id },
      "discounts.delete": { id: discount.id },
      "automations.update": { automation: "weather", dial: "do_tell" },
      "org.update": { ops_daily_cap: 500 },
      "offerings.set_hours": { id: booking.offering_id, hours: [] },
      "webhooks.create": { url: "https://hooks.example.com/a" }
    }
    const effects: Record<string, RegExp> = {
      "messages.broadcast": /2 emails will be sent to guests: .+High water\./,
      "payments.refund": /a refund of \$5\.00 \(method: cash\)/,
      "sessions.cancel": /no bookings/,
      "sessions.cancel_many": /no bookings/,
      "offerings.delete": /cancels 2 bookings/,
      "customers.delete": /1 upcoming booking/,
      "saved_replies.delete": /saved reply is deleted/,
      "discounts.delete": /cannot be undone/,
      "automations.update": /from (?:ask|off) to do_tell/,
      "org.update": /500 times a day/,
      "offerings.set_hours": /nothing can be booked/,
      "webhooks.create": /guests' names/
    }
    for (const [name, input] of Object.entries(inputs)) {
      const before = (await here.call("events.list", { order: "desc", limit: 1 })).data[0]?.id
      const preview = await call(name.replace(".", "_"), input)
      assert.isTrue(preview.data.preview, `${name} ${preview.text}`)
      assert.match(JSON.stringify(preview.data.effects), effects[name] ?? /^$/, name)
      assert.strictEqual((await here.call("events.list", { order: "desc", limit: 1 })).data[0]?.id, before)
    }
  })

  it("is available only for operations with far-reaching effects", () => {
    const requiredNames = {
      cancel: ["bookings.cancel", "sessions.cancel", "sessions.cancel_many"],
      delete: [
        "offerings.delete",
        "customers.delete",
        "conversations.delete",
        "saved_replies.delete",
        "discounts.delete",
        "webhooks.delete"
      ],
      broadcast: ["messages.broadcast"],
      dial: ["automations.update"],
      refund: ["payments.refund"],
      ceiling: ["org.update"],
      "hours to empty": ["offerings.set_hours"],
      proposals: ["proposals.approve", "proposals.undo"],
      webhook: ["webhooks.create"]
    }
    const all = [...here.registry.operations, ...staffTools.map(({ operation }) => operation)]
    assert.sameMembers(
      all.filter(mayNeedPreview).map(({ name }) => name),
      Object.values(requiredNames).flat()
    )
    // A closure can be created again, and deleting one changes no booking.
    const riskyOps = all.filter(({ name }) => /cancel|delete|refund|broadcast|approve|undo|void|erase/.test(name))
    assert.sameMembers(riskyOps.filter((operation) => !mayNeedPreview(operation)).map(({ name }) => name), [
      "closures.delete",
      "payments.void"
    ])
  })

  it("states the amount of each refund option", async () => {
    await here.call("offerings.update", {
      id: booking.offering_id,
      cancellation_policy: { steps: [{ until_hours: 48, keep_bps: 0 }, { until_hours: 24, keep_bps: 2500 }] }
    })
    const hours = { early: 60, late: 30, last: 10, started: -1 }
    const cents = {
      full: { early: 4000, late: 4000, last: 4000, started: 0 },
      policy: { early: 4000, late: 3000, last: 0, started: 0 },
      none: { early: 0, late: 0, last: 0, started: 0 }
    }
    for (const refund of ["full", "policy", "none", undefined] as const) {
      for (const time of ["early", "late", "last", "started"] as const) {
        await here.run(here.clock.set(start))
        const { id } = await here.call("bookings.create", {
          offering_id: booking.offering_id,
          starts_at: "2027-06-09T15:00:00Z",
          customer: { email: "dee@example.com" }
        })
        await here.pay(id)
        const startsAt = Instant.parse("2027-06-09T15:00:00Z") ?? assert.fail()
        const now = Instant.addMinutes(startsAt, -60 * hours[time])
        await here.run(here.clock.set(now))
        const input = { id, ...(refund === undefined ? {} : { refund }) }
        const { data } = await call("bookings_cancel", input)
        const expected = cents[refund ?? "full"][time]
        const about = `${refund} ${time}`
        assert.deepInclude(data.affected, { refunded_cents: expected }, about)
        const text = expected === 0
          ? "Nothing is refunded."
          : `This call refunds 1 payment, $${expected / 100}.00 in total.`
        assert.include(data.effects, text, about)
        const result = await call("bookings_cancel", { ...input, preview_token: data.preview_token })
        assert.deepInclude(result.data, { status: "cancelled" }, about)
        const { refund: newRefund } = await here.call("bookings.get", { id })
        assert.deepEqual(
          newRefund,
          expected === 0 ? null : { status: "due", cents: expected, at: Instant.format(now) },
          about
        )
      }
    }
  })

  it("states the exact online refund for any payment history", async () => {
    const money = FastCheck.integer({ min: 1, max: 6000 })
    const step = FastCheck.oneof(
      { weight: 3, arbitrary: FastCheck.record({ act: FastCheck.constant("pay"), cents: money }) },
      {
        weight: 4,
        arbitrary: FastCheck.record({
          act: FastCheck.constantFrom("cash", "return cash", "refund", "price", "move"),
          cents: money
        })
      },
      {
        weight: 1,
        arbitrary: FastCheck.record({ act: FastCheck.constantFrom("dispute", "cancel", "restore"), cents: money })
      }
    )
    const cancellation = FastCheck.constantFrom("full", "policy", "none", "departure")
    await here.call("offerings.update", {
      id: booking.offering_id,
      pricing: {
        rates: [{ id: "adult", name: "Adult", price_cents: 4000, places: 1 }],
        deposit: { cents: 1500, per: "place", balance_due_hours: 24 }
      },
      cancellation_policy: { steps: [{ until_hours: 48, keep_bps: 0 }, { until_hours: 24, keep_bps: 2500 }] }
    })
    const raft = await here.call("offerings.create", { name: "Raft", kind: "class", capacity: 9, price_cents: 4000 })
    const entriesOf = async (booking_id: string) =>
      (await here.call("payments.list", { booking_id, method: "online", limit: 100 })).data
    const refundsOf = async (id: string) =>
      (await entriesOf(id)).filter(({ reason, status }) => reason === "cancellation" && status !== "failed")
    let partialCount = 0
    let splitCount = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(step, { maxLength: 10 }), cancellation, async (steps, refund) => {
        await here.run(here.clock.set(start))
        const isDeparture = refund === "departure"
        const { data: [session] } = isDeparture
          ? await here.call("sessions.create", { offering_id: raft.id, starts_at: "2027-06-06T15:00:00Z" })
          : { data: [] }
        const { id } = await here.call("bookings.create", {
          ...(isDeparture ? { offering_id: raft.id, session_id: session?.id } : { offering_id: booking.offering_id }),
          ...(isDeparture ? {} : { starts_at: "2027-06-06T15:00:00Z" }),
          customer: { email: "eve@example.com" }
        })
        for (const [n, { act, cents }] of steps.entries()) {
          const desk = { id, method: "cash", amount_cents: cents }
          const adjustments = [{ name: "Change", cents: cents - 3000 }]
          const acts: Record<string, () => Promise<unknown>> = {
            pay: () => here.pay(id, String(n)),
            cash: () => here.call("payments.record", { ...desk, allow_overpayment: true }),
            "return cash": () => here.call("payments.refund", desk),
            refund: () => here.call("payments.refund", { id, amount_cents: cents }),
            price: () => here.call("bookings.update", { id, adjustments }),
            move: () => here.call("bookings.move", { id, starts_at: "2027-06-08T15:00:00Z" }),
            dispute: () => here.dispute(id),
            cancel: () => here.call("bookings.cancel", { id, refund: "policy" }),
            restore: () => here.call("bookings.restore", { id })
          }
          // A refused step changes nothing.
          await acts[act]?.().catch(() => undefined)
        }
        if ((await here.call("bookings.get", { id })).status === "cancelled") return
        const before = await refundsOf(id)
        const [name, input] = isDeparture
          ? ["sessions_cancel", { id: session?.id }] as const
          : ["bookings_cancel", { id, refund }] as const
        const { data } = await call(name, input)
        const result = await call(name, { ...input, preview_token: data.preview_token })
        assert.isFalse(result.isError, result.text)
        const knownIds = new Set(before.map((entry) => entry.id))
        const newRefunds = (await refundsOf(id)).filter((entry) => !knownIds.has(entry.id))
        const cents = newRefunds.reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0)
        assert.deepInclude(data.affected, { refunds: newRefunds.length, refunded_cents: cents })
        assert.deepInclude(result.data.affected, { refunds: newRefunds.length, refunded_cents: cents })
        // All online money above the kept amount is refunded. Only desk money and disputed payments remain owed.
        const view = await here.call("bookings.get", { id })
        const entries = await entriesOf(id)
        if (Number(view.owed_cents) > 0) assert.strictEqual(undisputedCents(entries), 0)
        if (cents > 0 && cents !== view.total_cents) partialCount++
        if (newRefunds.length > 1) splitCount++
      }),
      {
        numRuns: runs(60, 45),
        // The outfitter first keeps 25%. In some examples, the guest also pays at the desk or online before the second
        // cancellation.
        examples: [["pay", "cancel", "restore"], ["pay", "cancel", "restore", "cash"], [
          "pay",
          "cancel",
          "restore",
          "pay"
        ]]
          .map((acts) => [acts.map((act) => ({ act, cents: 500 })), "full"])
      }
    )
    assert.isAbove(partialCount, 5)
    assert.isAbove(splitCount, 1)
  })

  it("states what the guest owes after a refund", async () => {
    const { id } = await here.call("bookings.create", {
      offering_id: booking.offering_id,
      starts_at: "2027-06-09T15:00:00Z",
      customer: { email: "fay@example.com" }
    })
    await here.pay(id)
    const tooLarge = await call("payments_refund", { id, amount_cents: 4001 })
    assert.deepInclude(tooLarge.data, { code: "amount_too_large" })
    const { data: [payment] } = await here.call("payments.list", { booking_id: id })
    for (const  of of[{}, { payment_id: payment?.id }]) {
      const { data } = await call("payments_refund", { id, amount_cents: 1500, ...of })
      assert.deepStrictEqual(data.effects, [
        "This call refunds $15.00 to the guest from 1 online payment.",
        "The guest owes this amount again."
      ])
      assert.deepInclude(data.affected, { refunds: 1, refunded_cents: 1500 })
    }
    const input = { id, amount_cents: 1500, reduce_price: true }
    const { data } = await call("payments_refund", input)
    assert.include(data.effects, "The price is reduced by this amount.")
    const result = await call("payments_refund", { ...input, preview_token: data.preview_token })
    assert.isFalse(result.isError, result.text)
    assert.deepInclude(await here.call("bookings.get", { id }), { paid_cents: 2500, due_cents: 0, total_cents: 2500 })
    // The refund changed the booking, so the token does not permit a second refund.
    const again = await call("payments_refund", { ...input, preview_token: data.preview_token })
    assert.deepInclude(again.data, { code: "preview_outdated" })
  })

  it("is required for a broadcast only with the setting \"always\"", async () => {
    const moveResult = await call("bookings_move", { id: other.id, starts_at: "2027-06-07T15:00:00Z" })
    assert.notProperty(moveResult.data, "preview")
    const acts: Record<ConfirmationPolicy, boolean> = { always: false, elicit: true, never: true }
    for (const mode of confirmationPolicies) {
      const { data } = await call("messages_broadcast", { target: { date: "2027-06-06" }, body: mode }, undefined, mode)
      assert.strictEqual("sent" in data, acts[mode], mode)
    }
  })

  it("reports invalid input and unknown IDs", async () => {
    assert.deepInclude((await call("bookings_cancel", { id: "x", preview: true })).data, { code: "invalid_request" })
    const unknown = await call("bookings_cancel", { id: crypto.randomUUID() })
    assert.deepInclude(unknown.data, { code: "not_found" })
    assert.deepInclude((await call("bookings_move", { id: booking.id, preview: true })).data, {
      code: "invalid_request"
    })
    const client = await connectV2(here, { actor: application(here.actor) }, {
      capabilities: { elicitation: { form: {} } }
    })
    let questionCount = 0
    client.setRequestHandler("elicitation/create", () => {
      questionCount++
      return { action: "accept", content: {} }
    })
    const { structuredContent } = await client.callTool({ name: "bookings_cancel", arguments: { id: booking.id } })
    assert.deepInclude(structuredContent, { status: "cancelled" })
    assert.strictEqual(questionCount, 1)
    const silent = await connectV2(here, { actor: application(here.actor) })
    const { structuredContent: preview } = await silent.callTool({
      name: "bookings_cancel",
      arguments: { id: other.id }
    })
    assert.deepInclude(preview, { preview: true })
  })
})
