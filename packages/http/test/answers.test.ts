import { getHttpStatus } from "@trailbook/core"
import { eventDefinitions, type EventView } from "@trailbook/core/event"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Answer, errorOf, type Service, start } from "./Service.ts"

/** Asserts that a response has the declared status and output schema, or is a declared refusal. */
const check = (service: Service, name: string, answer: Answer): void => {
  const operation = service.registry.operations.find((operation) => operation.name === name)
  assert.isDefined(operation)
  if (answer.status < 300) {
    assert.strictEqual(answer.status, operation.status, name)
    const result = Schema.decodeUnknownEither(operation.output, { onExcessProperty: "error" })(answer.json)
    if (result._tag === "Left") assert.fail(`${name}: ${ParseResult.TreeFormatter.formatErrorSync(result.left)}`)
  } else {
    const { code } = errorOf(answer)
    assert.include(["invalid_request", ...operation.refusals], code, name)
    assert.strictEqual(answer.status, getHttpStatus(code), name)
  }
}

const openingTime = Instant.make(Date.UTC(2027, 4, 1, 15, 1))

describe("API responses and events", () => {
  let service: Service
  let clock: SettableClock.SettableClock
  beforeAll(async () => {
    clock = await Effect.runPromise(SettableClock.make(openingTime))
    service = await start({ rateLimit: { perSecond: 0 }, clock })
  })
  afterAll(() => service.close())

  it("match their declared schemas in a full-day scenario", async () => {
    const seenNames = new Set<string>()
    const ask = async <A = { readonly id: string }>(
      name: string,
      path: string,
      body?: object,
      status = 200
    ): Promise<A> => {
      const operation = service.registry.operations.find((operation) => operation.name === name)
      assert.isDefined(operation, name)
      const answer = await service.ask(operation.method, `/v1${path}`, body === undefined ? {} : { body })
      assert.strictEqual(answer.status, status, `${name}: ${answer.text}`)
      check(service, name, answer)
      seenNames.add(name)
      return answer.json as A
    }
    type Slots = { readonly data: ReadonlyArray<{ readonly starts_at: string; readonly session_id?: string }> }

    const guide = await ask(
      "offerings.create",
      "/offerings",
      { name: "Guide", kind: "appointment", price_cents: 5000 },
      201
    )
    const raft = await ask("offerings.create", "/offerings", { name: "Raft", kind: "class", capacity: 2 }, 201)
    await ask("offerings.list", "/offerings?limit=1")
    await ask("offerings.get", `/offerings/${guide.id}`)
    await ask("offerings.update", `/offerings/${guide.id}`, { description: "Two hours.", lat: 40, lon: -105 })
    await ask("offerings.set_hours", `/offerings/${guide.id}/hours`, {
      hours: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time: "08:00", end_time: "24:00" }))
    })
    await ask("offerings.get_hours", `/offerings/${guide.id}/hours`)
    await ask("offerings.set_hours", `/offerings/${raft.id}/hours`, { hours: [] }, 409)
    await ask("offerings.set_photos", `/offerings/${raft.id}/photos`, { photos: [] })

    const { data: slots } = await ask<Slots>("availability.get", `/offerings/${guide.id}/availability`)
    const [first, second] = slots.slice(-2)
    assert.isDefined(first)
    assert.isDefined(second)
    const [session] =
      (await ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>("sessions.create", "/sessions", {
        offering_id: raft.id,
        starts_at: first.starts_at,
        repeat_weeks: 2
      }, 201)).data
    assert.isDefined(session)
    await ask("sessions.list", `/sessions?offering_id=${raft.id}`)
    await ask("availability.get", `/offerings/${raft.id}/availability`)

    const customer = { email: "ada@example.com", name: "Ada" }
    const request = { offering_id: guide.id, starts_at: first.starts_at, customer }
    const booking = await ask("bookings.create", "/bookings", { ...request, hold_minutes: 10 }, 201)
    await ask("bookings.create", "/bookings", request, 409)
    await ask("bookings.quote", "/quotes", { offering_id: guide.id, quantity: 2 })
    await ask(
      "bookings.create",
      "/bookings",
      { offering_id: raft.id, session_id: session.id, quantity: 2, customer },
      201
    )
    await ask("bookings.get", `/bookings/${booking.id}`)
    await ask("bookings.resend", `/bookings/${booking.id}/resend`, undefined, 409)
    await ask("bookings.confirm", `/bookings/${booking.id}/confirm`)
    const soon = await ask("bookings.create", "/bookings", { ...request, starts_at: slots[0]?.starts_at }, 201)
    await ask("bookings.check_in", `/bookings/${soon.id}/check-in`)
    await ask("bookings.check_in", `/bookings/${soon.id}/check-in`, { arrived: 2 }, 400)
    await ask("bookings.mark_no_show", `/bookings/${soon.id}/no-show`, undefined, 409)
    await ask("bookings.clear_attendance", `/bookings/${soon.id}/attendance`)
    await Effect.runPromise(clock.advance(Date.parse(slots[0]?.starts_at ?? "") - openingTime))
    await ask("bookings.mark_no_show", `/bookings/${soon.id}/no-show`)
    await ask("bookings.check_in", `/bookings/${booking.id}/check-in`, undefined, 409)
    await ask("bookings.move", `/bookings/${booking.id}/move`, { starts_at: second.starts_at })
    await ask("bookings.update", `/bookings/${booking.id}`, { adjustments: [{ name: "Late return", cents: 500 }] })
    await ask("bookings.update", `/bookings/${booking.id}`, { expected_total_cents: 1 }, 409)
    await ask("bookings.quote", "/quotes", { booking_id: booking.id, quantity: 2 })
    await ask("bookings.resend", `/bookings/${booking.id}/resend`)
    await ask("bookings.resend", `/bookings/${booking.id}/resend`, undefined, 429)
    for (const status of [200, 200, 200, 429]) {
      await ask("payments.request", `/bookings/${booking.id}/payment-requests`, undefined, status)
    }
    const cash = { method: "cash", amount_cents: 100, allow_overpayment: true }
    const payment = await ask("payments.record", `/bookings/${booking.id}/payments`, cash, 201)
    await ask("payments.record", `/bookings/${booking.id}/payments`, { method: "card", amount_cents: 99_999_999 }, 409)
    await ask("payments.refund", `/bookings/${booking.id}/refunds`, { method: "cash", amount_cents: 40 }, 201)
    await ask("payments.refund", `/bookings/${booking.id}/refunds`, { method: "cash", amount_cents: 99 }, 409)
    await ask("payments.void", `/payments/${payment.id}/void`, undefined, 409)
    const card = await ask("payments.record", `/bookings/${booking.id}/payments`, { ...cash, method: "card" }, 201)
    await ask("payments.void", `/payments/${card.id}/void`)
    await ask("payments.list", `/payments?booking_id=${booking.id}&limit=1`)
    const year = "from=2027-01-01&to=2027-12-31"
    await ask("reports.sales", `/reports/sales?${year}&by=month&basis=booked`)
    await ask("reports.payments", `/reports/payments?${year}&by=week`)
    await ask("reports.occupancy", `/reports/occupancy?${year}`)
    await ask("reports.guests", `/reports/guests?${year}`)
    await ask("reports.guests", "/reports/guests?from=2027-01-01&to=2028-01-02", undefined, 400)
    await ask("bookings.list", "/bookings?limit=1&order=desc")
    await ask("bookings.cancel", `/bookings/${booking.id}/cancel`)
    await ask("bookings.cancel", `/bookings/${booking.id}/cancel`)
    await ask("bookings.confirm", `/bookings/${booking.id}/confirm`, undefined, 409)
    await ask("bookings.restore", `/bookings/${booking.id}/restore`)
    await ask("bookings.cancel", `/bookings/${booking.id}/cancel`)

    const ada = await ask("customers.upsert", "/customers", { email: "ada@example.com", phone: "1" })
    await ask("customers.list", "/customers?q=ada")
    await ask("customers.get", `/customers/${ada.id}`)
    await ask("customers.update", `/customers/${ada.id}`, { notes: "Left-handed." })

    const hold = await ask("bookings.create", "/bookings", { ...request, hold_minutes: 10 }, 201)
    await ask("messages.send", "/messages", { body: "Pay soon.", booking_id: hold.id }, 409)
    const message = await ask<{ readonly id: string; readonly conversation_id: string }>(
      "messages.send",
      "/messages",
      { body: "See you.", customer_id: ada.id },
      201
    )
    await ask(
      "messages.send",
      "/messages",
      { body: "Tall.", conversation_id: message.conversation_id, kind: "note" },
      201
    )
    await ask("messages.send", "/messages", { body: "Whose?" }, 400)
    await ask("messages.draft", "/messages/draft", { conversation_id: message.conversation_id })
    await ask("messages.broadcast", "/messages/broadcast", {
      target: { session_id: session.id },
      body: "Bring a coat."
    })
    await ask("messages.broadcast", "/messages/broadcast", { target: {}, body: "Whom?" }, 400)
    await service.write(booking.id, "Which bridge?")
    await ask("messages.list", `/messages?booking_id=${booking.id}&limit=1`)
    await ask("conversations.list", "/conversations?unread=true&q=bridge&limit=1")
    await ask("conversations.get", `/conversations/${message.conversation_id}`)
    await ask("conversations.update", `/conversations/${message.conversation_id}`, { read: true, status: "done" })
    await ask("conversations.update", `/conversations/${message.conversation_id}`, {
      snoozed_until: "2099-01-01T00:00:00Z"
    })
    await ask("conversations.update", `/conversations/${message.conversation_id}`, {
      snoozed_until: "2020-01-01T00:00:00Z"
    }, 400)
    await ask("conversations.delete", `/conversations/${message.conversation_id}`, undefined, 409)
    await ask("conversations.delete", `/conversations/${raft.id}`, undefined, 404)
    const dates = { from_date: "2099-06-08", to_date: "2099-06-09" }
    const closure = await ask("closures.create", "/closures", { ...dates, reason: "High water" }, 201)
    await ask("closures.list", "/closures?from=2099-06-09")
    await ask("closures.delete", `/closures/${closure.id}`)
    const spring = await ask("discounts.create", "/discounts", { code: "spring", percent_bps: 1000 }, 201)
    await ask("discounts.create", "/discounts", { code: "SPRING", cents: 500 }, 409)
    await ask("discounts.list", "/discounts")
    await ask("assistants.activity", "/assistants/activity")
    await ask("discounts.update", `/discounts/${spring.id}`, { cents: 500, active: false })
    await ask("discounts.delete", `/discounts/${spring.id}`)
    const savedReply = await ask(
      "saved_replies.create",
      "/saved_replies",
      { title: "Hi", body: "Hi {first_name}" },
      201
    )
    await ask("saved_replies.list", `/saved_replies?conversation_id=${message.conversation_id}`)
    await ask("saved_replies.list", `/saved_replies?booking_id=${booking.id}`)
    await ask("saved_replies.update", `/saved_replies/${savedReply.id}`, { body: "Hello {first_name}" })
    await ask("saved_replies.delete", `/saved_replies/${savedReply.id}`)

    await ask("automations.update", "/automations/fill", { dial: "ask", settings: { min_guests: 4 } })
    await ask("automations.update", "/automations/fill", { settings: { full_pct: 49 } }, 400)
    await ask("automations.list", "/automations")
    await ask("forecast.get", "/forecast?days=14&limit=1")
    await ask("proposals.list", "/proposals?status=pending&automation=fill")
    for (const what of ["approve", "dismiss", "undo"]) {
      await ask(`proposals.${what}`, `/proposals/${raft.id}/${what}`, undefined, 404)
    }

    await ask("offerings.delete", `/offerings/${raft.id}`, undefined, 409)
    await ask("sessions.update", `/sessions/${session.id}`, { notes: "Guide: Ray" })
    await ask("sessions.plan", `/offerings/${raft.id}/session-plans`, {
      weekdays: [1],
      times: ["09:00"],
      from_date: "2099-06-01",
      to_date: "2099-06-08"
    })
    await ask("sessions.cancel", `/sessions/${session.id}/cancel`)
    await ask("offerings.delete", `/offerings/${raft.id}?cancel_bookings=true`)
    await ask("customers.delete", `/customers/${ada.id}`)
    await ask("customers.update", `/customers/${ada.id}`, { name: "Ada" }, 409)
    await ask("messages.send", "/messages", { body: "Hello?", customer_id: ada.id }, 409)

    await ask("org.get", "/org")
    await ask("org.update", "/org", { brief_hour: 5, review_url: "" })
    const webhook = await ask("webhooks.create", "/webhooks", { url: "https://example.com/hook" }, 201)
    await ask("webhooks.list", "/webhooks")
    const { events: exportedEvents } = await ask<{ readonly events: ReadonlyArray<typeof EventView.Type> }>(
      "org.export",
      "/org/export"
    )
    for (const { data, type } of exportedEvents) {
      const schema = eventDefinitions.find((event) => event.type === type)
      assert.isDefined(schema, type)
      Schema.decodeUnknownSync(Schema.make(schema.data.ast), { onExcessProperty: "error" })(data)
    }
    assert.sameMembers([...new Set(exportedEvents.map(({ type }) => type))], eventDefinitions.map(({ type }) => type))
    await ask("events.list", "/events?after=0")
    await ask("webhooks.delete", `/webhooks/${webhook.id}`)
    await ask("billing.get", "/billing")
    assert.sameMembers([...seenNames], service.registry.operations.map(({ name }) => name))
  })
})
