/**
 * Runs the client against a server over HTTP and SQLite. The client can call every operation, and a lost response never
 * leads to a second booking.
 */
import { type Booking, type Client, createClient } from "@trailbook/client"
import { type ClientOptions, createClientWithDependencies } from "@trailbook/client/createClient"
import { routes } from "@trailbook/client/routes"
import * as FastCheck from "effect/FastCheck"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openedSession } from "./proposalOf.ts"
import { serve, type TestServer } from "./served/serve.ts"

let server: TestServer
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server.close())

type Fetch = NonNullable<ClientOptions["fetch"]>

/** Retries immediately. */
const impatient = { pause: () => Promise.resolve(), random: () => 0 }
const attempts = 4
const clientOver = (fetch: Fetch): Client =>
  createClientWithDependencies({ baseUrl: server.url, apiKey: server.key, fetch, retries: attempts - 1 }, impatient)

const gathered = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

/** Creates a rental with 10,000 items and returns a free start time. */
const rental = async (client: Client) => {
  const { id } = await client.offerings.create({ name: "Raft", kind: "rental", capacity: 10_000 })
  const { data: [, slot] } = await client.availability.get({ id })
  assert.isDefined(slot)
  return { offering_id: id, starts_at: slot.starts_at }
}

describe("every operation", () => {
  it("returns a response", async () => {
    const calledNames = new Set<string>()
    const client = createClient({
      baseUrl: server.url,
      apiKey: server.key,
      fetch: (url, init) => {
        calledNames.add(`${init.method} ${url.slice(server.url.length).replace(/\?.*/, "")}`)
        return fetch(url, init)
      }
    })
    const { name } = await client.org.get()
    assert.strictEqual((await client.org.update({ review_url: "https://example.com/" })).name, name)
    assert.strictEqual((await client.billing.get()).plan, "free")

    const raft = await client.offerings.create({ name: "Raft", kind: "class", lat: null, metadata: { boats: 2 } })
    assert.strictEqual((await client.offerings.get({ id: raft.id })).capacity, 10)
    assert.strictEqual((await client.offerings.update({ id: raft.id, capacity: 12 })).capacity, 12)
    const starts_at = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString()
    const { data: [session, other] } = await client.sessions.create({
      offering_id: raft.id,
      starts_at,
      repeat_weeks: 2
    })
    assert.isDefined(session)
    assert.isDefined(other)
    assert.lengthOf((await client.sessions.list({ offering_id: raft.id })).data, 2)

    const tour = await client.offerings.create({ name: "Tour", kind: "appointment" })
    const hours = [{ weekday: 1, start_time: "09:00", end_time: "24:00" }]
    assert.lengthOf((await client.offerings.set_hours({ id: tour.id, hours })).data, 1)
    assert.lengthOf((await client.offerings.set_photos({ id: tour.id, photos: [] })).data, 0)
    assert.strictEqual((await client.offerings.get_hours({ id: tour.id })).data[0]?.end_time, "24:00:00")
    const { data, timezone } = await client.availability.get({ id: tour.id })
    assert.strictEqual(timezone, "America/Denver")
    assert.isAbove(data.length, 0)

    const ada = await client.customers.upsert({ email: "ada@example.com", name: "Ada" })
    assert.strictEqual((await client.customers.update({ id: ada.id, phone: "+1 719" })).phone, "+1 719")
    assert.strictEqual((await client.bookings.quote({ offering_id: raft.id, quantity: 2 })).lines.length, 1)
    const booking = await client.bookings.create({
      offering_id: raft.id,
      session_id: session.id,
      customer_id: ada.id,
      quantity: 2,
      hold_minutes: 10
    })
    assert.strictEqual((await client.bookings.confirm({ id: booking.id })).status, "confirmed")
    assert.strictEqual(
      (await client.bookings.move({ id: booking.id, session_id: other.id })).previous?.session_id,
      session.id
    )
    const updatedBooking = await client.bookings.update({ id: booking.id, quantity: 1, staff_notes: "Left-handed" })
    assert.deepStrictEqual([updatedBooking.quantity, updatedBooking.staff_notes], [1, "Left-handed"])
    // The start is a week away, so guests cannot be checked in yet.
    const taps = [
      await client.try.bookings.check_in({ id: booking.id }),
      await client.try.bookings.mark_no_show({ id: booking.id }),
      await client.try.bookings.clear_attendance({ id: booking.id })
    ]
    for (const tap of taps) assert.isTrue(!tap.ok && tap.error.code === "too_early")
    const desk = { id: booking.id, method: "cash", amount_cents: 500, allow_overpayment: true } as const
    const payment = await client.payments.record(desk)
    assert.strictEqual((await client.bookings.get({ id: booking.id })).paid_cents, 500)
    // The outfitter's local date may be a day before the UTC date.
    const [from = "", to = ""] = [-8, 30].map((days) =>
      new Date(Date.parse(starts_at) + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
    )
    const range = { from, to, by: "month" } as const
    assert.isNotEmpty((await client.reports.payments(range)).data)
    assert.isNotEmpty((await client.reports.sales(range)).data)
    assert.isNotEmpty((await client.reports.guests(range)).data)
    assert.isNotEmpty((await client.reports.occupancy({ from, to })).data)
    const { data: [refund] } = await client.payments.refund({ id: booking.id, method: "cash", amount_cents: 200 })
    assert.strictEqual((await client.payments.void({ id: refund?.id ?? "" })).status, "void")
    assert.strictEqual((await client.payments.void({ id: payment.id })).status, "void")
    assert.lengthOf((await client.payments.list({ booking_id: booking.id })).data, 2)
    const paymentRequest = await client.try.payments.request({ id: booking.id })
    assert.isTrue(paymentRequest.ok || paymentRequest.error.code === "nothing_due")
    const resent = await client.try.bookings.resend({ id: booking.id })
    assert.isTrue(resent.ok || resent.error.code === "resend_limited")
    assert.strictEqual((await client.bookings.get({ id: booking.id })).customer.name, "Ada")
    assert.lengthOf((await client.customers.get({ id: ada.id })).bookings, 1)
    assert.lengthOf((await client.bookings.list({ customer_id: ada.id })).data, 1)
    const { reference } = booking
    const spoken = `${reference.slice(0, 4)}-${reference.slice(4)}`.toLowerCase()
    for (const q of ["ADA", spoken, `ada ${reference}`]) {
      assert.deepStrictEqual((await client.bookings.list({ q })).data.map(({ id }) => id), [booking.id], q)
      assert.deepStrictEqual((await client.customers.list({ q })).data.map(({ id }) => id), [ada.id], q)
    }
    assert.lengthOf((await client.bookings.list({ q: "nobody" })).data, 0)

    const message = await client.messages.send({ booking_id: booking.id, body: "Bring a towel." })
    assert.lengthOf((await client.messages.list({ booking_id: booking.id })).data, 1)
    assert.deepStrictEqual(
      await client.messages.broadcast({ target: { session_id: other.id }, body: "The river is high." }),
      { sent: 1, skipped: 0, failed: 0 }
    )
    const id = message.conversation_id ?? ""
    assert.isTrue((await client.conversations.list({ q: "ada" })).data.some((conversation) => conversation.id === id))
    assert.lengthOf((await client.conversations.get({ id })).thread.filter(({ type }) => type === "message"), 2)
    assert.strictEqual((await client.conversations.update({ id, status: "done" })).status, "done")
    const draft = await client.try.messages.draft({ conversation_id: id })
    assert.isTrue(!draft.ok && draft.error.code === "drafts_unavailable")
    const rejection = await client.conversations.delete({ id }).catch((error: unknown) => error)
    assert.include(Object(rejection), { code: "has_customer" })
    const closure = await client.closures.create({
      from_date: "2099-06-08",
      to_date: "2099-06-09",
      reason: "High water"
    })
    assert.deepStrictEqual([closure.bookings, (await client.closures.list()).data.length], [0, 1])
    assert.isTrue((await client.closures.delete({ id: closure.id })).ok)
    const discount = await client.discounts.create({ code: "spring", percent_bps: 1000 })
    assert.strictEqual(discount.code, "SPRING")
    assert.strictEqual((await client.discounts.update({ id: discount.id, max_uses: 9 })).max_uses, 9)
    assert.lengthOf((await client.assistants.activity()).data, 0)
    assert.lengthOf((await client.discounts.list()).data, 1)
    assert.isTrue((await client.discounts.delete({ id: discount.id })).ok)
    const reply = await client.saved_replies.create({ title: "Towel", body: "{first_name}, bring a towel." })
    assert.strictEqual(
      (await client.saved_replies.list({ booking_id: booking.id })).data[0]?.text,
      "Ada, bring a towel."
    )
    assert.strictEqual((await client.saved_replies.update({ id: reply.id, title: "To bring" })).title, "To bring")
    assert.isTrue((await client.saved_replies.delete({ id: reply.id })).ok)

    assert.lengthOf((await client.automations.list()).data, 4)
    assert.isArray((await client.forecast.get({ days: 14 })).data)
    assert.strictEqual((await client.automations.update({ automation: "fill", dial: "ask" })).dial, "ask")
    const proposalIds = await Promise.all(
      [{}, {}, openedSession(session.id)].map((fields) => server.propose("api", fields))
    )
    const [approved = "", dismissed = "", executed = ""] = proposalIds
    assert.lengthOf((await client.proposals.list()).data, 3)
    assert.notStrictEqual((await client.proposals.approve({ id: approved })).status, "pending")
    assert.strictEqual((await client.proposals.dismiss({ id: dismissed })).status, "dismissed")
    assert.strictEqual((await client.proposals.undo({ id: executed })).status, "undone")

    assert.strictEqual((await client.bookings.cancel({ id: booking.id })).status, "cancelled")
    assert.strictEqual((await client.bookings.restore({ id: booking.id })).status, "confirmed")
    assert.strictEqual((await client.bookings.cancel({ id: booking.id })).status, "cancelled")
    assert.strictEqual((await client.sessions.update({ id: other.id, notes: "Guide: Ray" })).notes, "Guide: Ray")
    const plan = {
      id: raft.id,
      weekdays: [1],
      times: ["09:00"],
      from_date: "2099-06-01",
      to_date: "2099-06-08",
      dry_run: true
    }
    assert.strictEqual((await client.sessions.plan(plan)).created, 2)
    assert.strictEqual((await client.sessions.cancel({ id: other.id })).status, "cancelled")
    assert.lengthOf((await client.customers.list({ q: "ada" })).data, 1)
    assert.isTrue((await client.customers.delete({ id: ada.id })).ok)

    const webhook = await client.webhooks.create({ url: "https://hooks.example.com/", events: ["booking.confirmed"] })
    assert.match(webhook.secret, /^whsec_/)
    assert.lengthOf((await client.webhooks.list()).data, 1)
    assert.isTrue((await client.webhooks.delete({ id: webhook.id })).ok)

    assert.isAbove((await client.events.list({ after: 0 })).next_after, -1)
    assert.strictEqual((await client.org.export()).version, 1)
    assert.deepStrictEqual(await client.offerings.delete({ id: raft.id }), { cancelled: 0, refunded: 0, pending: 0 })
    assert.isTrue((await client.offerings.list({ kind: "appointment" })).data.some(({ id }) => id === tour.id))

    for (const { method, path } of Object.values(routes).flatMap((byName) => Object.values(byName))) {
      const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, "[^/]+")}$`)
      assert.isTrue([...calledNames].some((request) => pattern.test(request)), `${method} ${path} was not requested`)
    }
  })

  it("returns a refusal with its code and status", async () => {
    const client = createClient({ baseUrl: server.url, apiKey: server.key })
    const result = await client.try.bookings.get({ id: "0197c0de-0000-7000-8000-000000000000" })
    assert.isFalse(result.ok)
    const { code, requestId, retryable, status } = result.error
    assert.deepStrictEqual({ code, retryable, status }, { code: "not_found", retryable: false, status: 404 })
    assert.isString(requestId)
    const stranger = createClient({ baseUrl: server.url, apiKey: "tb_live_nobody" })
    const unknown = await stranger.try.org.get()
    assert.strictEqual(unknown.ok || unknown.error.code, "unauthorized")
  })
})

it("a list fetched in pages contains the same rows as a single response", async () => {
  const client = createClient({ baseUrl: server.url, apiKey: server.key })
  const place = await rental(client)
  for (let at = 0; at < 7; at += 1) await client.bookings.create({ ...place, customer: { email: `${at}@example.com` } })
  const { offering_id } = place
  const whole = await client.bookings.list({ offering_id, limit: 500 })
  assert.lengthOf(whole.data, 7)
  for (const limit of [1, 3, 7, 8]) {
    assert.deepStrictEqual(await gathered(client.bookings.all({ offering_id, limit })), whole.data)
  }
  const last = await client.events.list({ after: 0, limit: 500 })
  const events = await gathered(client.events.all({ after: 0, limit: 3 }))
  assert.deepStrictEqual(events.slice(0, last.data.length), last.data)
})

/** Everything that the network can do to a request. */
const fates = ["arrives", "is lost", "loses its answer", "is given up under way", "is answered by a proxy"] as const
type Fate = (typeof fates)[number]

/** Returns a `fetch` that applies the requested fate to each booking attempt and passes all other requests through. */
const network = (
  fateOf: (notes: string, attempt: number) => Fate,
  change: (body: string) => string,
  underWay: Array<Promise<unknown>>
): Fetch => {
  const attempts = new Map<string, number>()
  return async (url, init) => {
    const body = typeof init.body === "string" ? init.body : "{}"
    const { notes = "" } = JSON.parse(body)
    const attempt = attempts.get(notes) ?? 0
    attempts.set(notes, attempt + 1)
    const fate = fateOf(notes, attempt)
    if (fate === "is lost") throw new TypeError("fetch failed")
    const answer = fetch(url, { ...init, body: init.body === null ? null : change(body) })
    // The next attempt then runs concurrently with this one.
    if (fate === "is given up under way") {
      underWay.push(answer)
      throw new TypeError("fetch failed")
    }
    const response = await answer
    if (fate === "loses its answer") throw new TypeError("terminated")
    return fate === "arrives" ? response : new Response("<html>", { status: 502 })
  }
}

let wishes = 0

/** Books over a network with the given fates, one list per guest, and returns the violated invariants. */
const findViolations = async (
  scripts: ReadonlyArray<ReadonlyArray<Fate>>,
  change: (body: string) => string = (body) => body
): Promise<ReadonlyArray<string>> => {
  const direct = clientOver((url, init) => fetch(url, init))
  const place = await rental(direct)
  const underWay: Array<Promise<unknown>> = []
  const byNotes = new Map(scripts.map((script) => [`wish ${wishes++}`, script]))
  const client = clientOver(network((notes, attempt) => byNotes.get(notes)?.[attempt] ?? "arrives", change, underWay))
  const results = await Promise.all([...byNotes.keys()].map(async (notes) => {
    const result = await client.try.bookings.create({ ...place, notes, customer: { email: "ada@example.com" } })
    return { notes, result }
  }))
  await Promise.all(underWay)
  const { data } = await direct.bookings.list({ offering_id: place.offering_id, limit: 500 })
  return results.flatMap(({ notes, result }) => {
    const bookings: ReadonlyArray<Booking> = data.filter((booking) => booking.notes === notes)
    if (bookings.length > 1) return [`${notes}: ${bookings.length} bookings`]
    if (result.ok) return bookings[0]?.id === result.value.id ? [] : [`${notes}: acknowledged and not there`]
    const script = byNotes.get(notes) ?? []
    return script.length < attempts || script.includes("arrives")
      ? [`${notes}: not told of an answer that arrived`]
      : []
  })
}

describe("orders whose responses are lost", () => {
  it("create at most one booking each", async () => {
    const script = FastCheck.array(FastCheck.constantFrom(...fates), { maxLength: attempts })
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(script, { minLength: 1, maxLength: 6 }), async (scripts) => {
        assert.deepStrictEqual(await findViolations(scripts), [])
      }),
      { numRuns: 30 }
    )
    assert.deepStrictEqual(await server.violations(), [])
  })

  it("control: create duplicates without a shared idempotency key", async () => {
    const rekeyed = (body: string) => {
      const fields = JSON.parse(body)
      return JSON.stringify("idempotency_key" in fields ? { ...fields, idempotency_key: crypto.randomUUID() } : fields)
    }
    const [violation] = await findViolations([["loses its answer", "is answered by a proxy"]], rekeyed)
    assert.match(String(violation), /: 3 bookings$/)
  })
})
