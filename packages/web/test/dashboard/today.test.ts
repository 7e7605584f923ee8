/** Tests the dashboard's Today page, week, and departure pages. */
import * as Instant from "@trailbook/core/time/Instant"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

describe("the departure pages", () => {
  let site: TestSite
  let cookie: string
  let raftId: string
  const sessions: Array<string> = []
  beforeAll(async () => {
    site = await open()
    cookie = await site.signIn("staff")
  })
  afterAll(() => site.close())

  const ask = (path: string) => site.ask(path, { headers: { cookie } })
  const schedule = async (starts_at: string) => {
    const response = await site.call("sessions.create", { offering_id: raftId, starts_at })
    return /"id":"([^"]+)"/.exec(JSON.stringify(response))?.[1] ?? ""
  }
  const customer = { email: "grace@example.com", name: "Grace Hopper", phone: "+1 719 555 0199" }

  it("link to the setup page if the outfitter has no offerings", async () => {
    const { html } = await ask("/dashboard")
    assert.include(html, `href="/dashboard/setup"`)
    assert.notInclude(html, "Nothing at risk")
  })

  it("count guests, and label full departures and held spots", async () => {
    raftId =
      (await site.call("offerings.create", { name: "Raft", kind: "class", capacity: 4, duration_minutes: 180 })).id
    sessions.push(await schedule("2027-05-01T16:00:00Z"), await schedule("2027-05-02T16:00:00Z"))
    await schedule("2027-05-20T16:00:00Z")
    const order = { offering_id: raftId, session_id: sessions[0], customer }
    await site.call("bookings.create", { ...order, quantity: 3, notes: "One is left-handed." })
    await site.call("bookings.create", { ...order, quantity: 1, hold_minutes: 60 })
    const { html } = await ask("/dashboard")
    assert.include(html, "Saturday, May 1, 2027: 4 guests, 1 departure")
    assert.include(html, "0 of 4 arrived")
    assert.include(html, "Grace Hopper (3) and 1 more")
    assert.include(html, "4 of 4, full, 1 held")
    assert.include(html, "Nothing at risk")
    assert.notInclude(html, "No guests yet")
    site.set("2027-05-01T15:01:00Z")
    assert.include((await ask("/dashboard")).html, "3 of 4<")
    site.set("2027-05-01T14:00:00Z")
  })

  it("show the next departures if the day has none", async () => {
    site.set("2027-05-08T14:00:00Z")
    const { html } = await ask("/dashboard")
    assert.include(html, "No departures today.")
    assert.include(html, "Next departures")
    assert.include(html, "No guests yet")
    assert.include(html, "Thu, May 20")
    site.set("2027-05-01T14:00:00Z")
  })

  it("list risks by urgency, before arrivals and payments", async () => {
    const { id: offering_id } = await site.call("offerings.create", { ...trip, kind: "class", capacity: 9 })
    const day = await site.call("sessions.create", { offering_id, starts_at: "2027-06-05T16:00:00Z" })
    const session_id = /"id":"([^"]+)"/.exec(JSON.stringify(day))?.[1] ?? ""
    site.set("2027-06-04T18:00:00Z")
    const book = async (name: string, quantity: number) =>
      site.call("bookings.create", {
        offering_id,
        session_id,
        quantity,
        customer: { name, email: `${name.toLowerCase()}@example.com`, phone: "719 555 0142" }
      })
    const pay = (id: string, method: string, amount_cents: number) =>
      site.call("payments.record", { id, method, amount_cents })
    const ada = await book("Ada", 2)
    const ben = await book("Ben", 1)
    const cleo = await book("Cleo", 1)
    await pay(ada.id, "cash", 19_000)
    await pay(ben.id, "card", 500)
    await pay(cleo.id, "cash", 9500)
    await site.call("bookings.cancel", { id: cleo.id })
    const { id: message } = await site.call("messages.send", {
      booking_id: ben.id,
      body: "The meeting point changed."
    })
    await site.tell(message, { failedAt: Instant.parse("2027-06-04T18:01:00Z") ?? null, failure: "550 no such user" })
    site.set("2027-06-05T12:00:00Z")
    await site.call("bookings.check_in", { id: ada.id })
    await site.call("bookings.create", {
      offering_id,
      session_id,
      hold_minutes: 20,
      customer: { name: "Dora", email: "dora@example.com" }
    })
    const html = (await site.ask("/dashboard", { headers: { cookie: await site.signIn("owner") } })).html
    const text = html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")
    const order = [
      "4 items at risk",
      "The guest on 1 booking could not be reached.",
      "$90 due from guests today (1 booking)",
      "$95 owed to guests today (1 booking)",
      "Hold for 1 expires in 20 minutes",
      "Departures 2 of 4 arrived",
      "1 unpaid, $90",
      "Ada (2)",
      "Unpaid today",
      "Collected yesterday",
      "$290",
      "Cash $285",
      "Card $5"
    ]
    assert.deepStrictEqual(order.toSorted((a, b) => text.indexOf(a) - text.indexOf(b)), order)
    for (const words of order) assert.include(text, words)
    assert.include(html, `/dashboard/bookings/${ben.id}/payments/new`)
    assert.include(html, `/dashboard/bookings/${cleo.id}/refunds/new`)
    const staff = (await ask("/dashboard")).html
    assert.notInclude(staff, "Collected yesterday")
    site.set("2027-05-01T14:00:00Z")
  })

  it("list appointments, and count parties instead of people", async () => {
    const { id } = await site.call("offerings.create", { ...trip, capacity: 2 })
    const booking = await site.book(id, { quantity: 3 })
    const { html } = await ask("/dashboard")
    assert.include(html, `/dashboard/departures/${booking.id}`)
    assert.include(html, "1 of 2")
    const departure = await ask(`/dashboard/departures/${booking.id}`)
    assert.include(departure.html, "Parties booked")
    assert.include(departure.html, booking.reference)
  })

  it("list a departure's guests with their phone numbers and notes", async () => {
    for (const page of ["", "/manifest"]) {
      const { html, status } = await ask(`/dashboard/departures/${sessions[0]}${page}`)
      assert.strictEqual(status, 200)
      for (const detail of ["Grace Hopper", "3 guests", "+1 719 555 0199", "One is left-handed.", "Free", "Held"]) {
        assert.include(html, detail, page)
      }
    }
    const day = await ask("/dashboard/manifest?date=2027-05-01")
    assert.include(day.html, "Manifest for Saturday, May 1")
    assert.include(day.html, "Grace Hopper")
    assert.include((await ask("/dashboard/manifest?date=2027-05-09")).html, "No guests are booked on this day.")
    assert.strictEqual((await ask("/dashboard/departures/0199aaaa-0000-7000-8000-0000000000ff")).status, 404)
    assert.strictEqual((await ask("/dashboard/departures/anything")).status, 400)
  })

  it("show the week that contains a date, in the outfitter's time zone", async () => {
    const { html } = await ask("/dashboard/calendar?week=2027-05-20")
    for (const week of ["2027-05-09", "2027-05-23"]) assert.include(html, `week=${week}`)
    assert.include(html, "10:00 AM · 0 of 4")
    assert.include(html, "Denver time (MDT)")
    assert.include((await ask("/dashboard/calendar?week=never")).html, `aria-current="date">This week`)
    assert.include((await ask("/dashboard/calendar?day=2027-05-20")).html, "1 departure ")
  })

  it("show each departure on the correct day across a clock change", async () => {
    // In Denver, daylight saving time ends on November 7, 2027, and starts on March 14, 2027.
    await schedule("2027-11-07T05:30:00Z")
    await schedule("2027-11-07T06:30:00Z")
    await schedule("2027-11-14T06:30:00Z")
    const { html } = await ask("/dashboard/calendar?week=2027-11-09")
    assert.include(html, "Denver time (MDT, then MST)")
    assert.strictEqual(html.match(/class="event/g)?.length, 2)
    assert.include(html, "12:30 AM")
    assert.include(html, "11:30 PM")
    assert.notInclude((await ask("/dashboard/calendar?week=2027-11-16")).html, "class=\"event")
  })

  it("change no data on GET requests", async () => {
    const before = await site.tables()
    for (
      const path of ["", "/calendar", "/manifest", `/departures/${sessions[0]}`, `/departures/${sessions[0]}/manifest`]
    ) {
      assert.strictEqual((await ask(`/dashboard${path}`)).status, 200, path)
    }
    assert.strictEqual(await site.tables(), before)
  })
})
