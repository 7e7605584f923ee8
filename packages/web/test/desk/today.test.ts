/** The day, the week, and the departures on the dashboard. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type Place, trip } from "../guest/Place.ts"

describe("the departure pages of the dashboard", () => {
  let place: Place
  let cookie: string
  let raftId: string
  const sessions: Array<string> = []
  beforeAll(async () => {
    place = await open()
    cookie = await place.signIn("staff")
  })
  afterAll(() => place.close())

  const ask = (path: string) => place.ask(path, { headers: { cookie } })
  const schedule = async (starts_at: string) => {
    const made = await place.call("sessions.create", { offering_id: raftId, starts_at })
    return /"id":"([^"]+)"/.exec(JSON.stringify(made))?.[1] ?? ""
  }
  const customer = { email: "grace@example.com", name: "Grace Hopper", phone: "+1 719 555 0199" }

  it("link to the setup if the outfitter has no offerings", async () => {
    const { html } = await ask("/dashboard")
    assert.include(html, `href="/dashboard/setup"`)
    assert.notInclude(html, "Guests in the next")
  })

  it("count guests and departures, name the guests, and mark full departures and held places in words", async () => {
    raftId =
      (await place.call("offerings.create", { name: "Raft", kind: "class", capacity: 4, duration_minutes: 180 })).id
    sessions.push(await schedule("2027-05-01T16:00:00Z"), await schedule("2027-05-02T16:00:00Z"))
    await schedule("2027-05-20T16:00:00Z")
    const order = { offering_id: raftId, session_id: sessions[0], customer }
    await place.call("bookings.create", { ...order, quantity: 3, notes: "One is left-handed." })
    await place.call("bookings.create", { ...order, quantity: 1, hold_minutes: 60 })
    const { html } = await ask("/dashboard")
    assert.match(html, /Guests in the next 4 days<\/dt><dd>4</)
    assert.match(html, /Departures in the next 4 days<\/dt><dd>2</)
    assert.include(html, "Grace Hopper (3) and 1 more")
    assert.include(html, "4 of 4, full, 1 held")
    assert.include(html, "No guests yet")
    assert.include(html, "Bookings per day, ending today: 0, 0, 0, 0, 0, 0, 1")
    place.set("2027-05-01T15:01:00Z")
    assert.include((await ask("/dashboard")).html, "3 of 4<")
    place.set("2027-05-01T14:00:00Z")
  })

  it("list appointments together with sessions, and count parties instead of people", async () => {
    const { id } = await place.call("offerings.create", { ...trip, capacity: 2 })
    const booking = await place.book(id, { quantity: 3 })
    const { html } = await ask("/dashboard")
    assert.include(html, `/dashboard/departures/${booking.id}`)
    assert.include(html, "1 of 2")
    const departure = await ask(`/dashboard/departures/${booking.id}`)
    assert.include(departure.html, "Parties booked")
    assert.include(departure.html, booking.reference)
  })

  it("show the guests of a departure, and print their phone numbers, notes, payments, and references", async () => {
    for (const page of ["", "/manifest"]) {
      const { html, status } = await ask(`/dashboard/departures/${sessions[0]}${page}`)
      assert.strictEqual(status, 200)
      for (const said of ["Grace Hopper", "3 guests", "+1 719 555 0199", "One is left-handed.", "Free", "Held"]) {
        assert.include(html, said, page)
      }
    }
    const day = await ask("/dashboard/manifest?date=2027-05-01")
    assert.include(day.html, "Manifest of Saturday, May 1")
    assert.include(day.html, "Grace Hopper")
    assert.include((await ask("/dashboard/manifest?date=2027-05-09")).html, "No guests are booked on this day.")
    assert.strictEqual((await ask("/dashboard/departures/0199aaaa-0000-7000-8000-0000000000ff")).status, 404)
    assert.strictEqual((await ask("/dashboard/departures/anything")).status, 400)
  })

  it("show the week of a date in the outfitter's time zone, with links to the previous and next week", async () => {
    const { html } = await ask("/dashboard/calendar?week=2027-05-20")
    for (const week of ["2027-05-09", "2027-05-23"]) assert.include(html, `week=${week}`)
    assert.include(html, "10:00 AM · 0 of 4")
    assert.include(html, "Times of Denver, MDT")
    assert.include((await ask("/dashboard/calendar?week=never")).html, `aria-current="date">This week`)
    assert.include((await ask("/dashboard/calendar?day=2027-05-20")).html, "1 departure ")
  })

  it("cover a full week across a clock change, and show each departure on the correct day", async () => {
    // In Denver, daylight saving time ends on November 7, 2027, and starts on March 14.
    await schedule("2027-11-07T05:30:00Z")
    await schedule("2027-11-07T06:30:00Z")
    await schedule("2027-11-14T06:30:00Z")
    const { html } = await ask("/dashboard/calendar?week=2027-11-09")
    assert.include(html, "Times of Denver, MDT, then MST")
    assert.strictEqual(html.match(/class="event/g)?.length, 2)
    assert.include(html, "12:30 AM")
    assert.include(html, "11:30 PM")
    assert.notInclude((await ask("/dashboard/calendar?week=2027-11-16")).html, "class=\"event")
  })

  it("change nothing on GET", async () => {
    const before = await place.tables()
    for (
      const path of ["", "/calendar", "/manifest", `/departures/${sessions[0]}`, `/departures/${sessions[0]}/manifest`]
    ) {
      assert.strictEqual((await ask(`/dashboard${path}`)).status, 200, path)
    }
    assert.strictEqual(await place.tables(), before)
  })
})
