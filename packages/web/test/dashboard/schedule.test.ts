/** Tests a season's schedule: closed dates, departure plans, season hours, and single departures. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { fieldsOf } from "./fields.ts"

const hostile = `"><script>alert(1)</script>`

describe("the schedule pages", () => {
  let site: TestSite
  let cookie: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn("staff")
  })
  afterEach(() => site.close())

  const get = (path: string) => site.ask(path, { headers: { cookie } })
  const send = (path: string, form: Readonly<Record<string, string>>) => site.ask(path, { headers: { cookie }, form })
  const list = async (name: string, input: object = {}) =>
    ((await site.call(name, input)) as unknown as { readonly data: ReadonlyArray<Record<string, unknown>> }).data
  const raft = (overrides: object = {}) =>
    site.call("offerings.create", { name: "Raft trip", kind: "class", price_cents: 12_500, capacity: 10, ...overrides })
  const sessionAt = async (offering_id: string, starts_at: string) => {
    const [session] = await list("sessions.create", { offering_id, starts_at })
    return String(session?.["id"])
  }

  describe("walk-ins", () => {
    it("are saved and checked in only once", async () => {
      const { id } = await raft({ capacity: 4, min_notice_minutes: 600 })
      const session = await sessionAt(id, "2027-05-01T16:00:00Z")
      const path = `/dashboard/departures/${session}/walk-in`
      for (const page of ["", `/departures/${session}`]) assert.include((await get(`/dashboard${page}`)).html, path)
      const { html } = await get(path)
      assert.include(html, "4 left")
      const fields = { ...fieldsOf(html, path), quantity: "3", name: "" }
      for (let times = 0; times < 2; times++) {
        const { headers } = await send(path, fields)
        assert.strictEqual(headers.get("location"), `/dashboard/departures/${session}?done=walked_in`)
      }
      const [booking, ...others] = await list("bookings.list", { session_id: session })
      assert.deepStrictEqual(others, [])
      assert.deepInclude(booking, { status: "confirmed", quantity: 3 })
      assert.deepInclude(booking?.["attendance"], { status: "checked_in", arrived: 3 })
      assert.deepInclude(booking?.["customer"], { email: "", phone: "" })
      assert.match(String(Object(booking?.["customer"]).name), /^Walk-in \d/)
      const full = await send(path, { ...fields, key: crypto.randomUUID(), quantity: "2", name: "719 555 0142" })
      assert.strictEqual(full.status, 409)
      assert.include(full.html, "719 555 0142")
      await send(path, { ...fields, key: crypto.randomUUID(), quantity: "1", name: "719 555 0142" })
      assert.notInclude((await get("/dashboard")).html, path)
      assert.include((await get(path)).html, "does not accept walk-ins")
    })

    it("can be paid for in the same form", async () => {
      const rates = [
        { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
        { id: "child", name: "Child", price_cents: 7500, places: 1, needs_any_of: ["adult"] }
      ]
      const { id } = await raft({ pricing: { rates, min_places: 2 } })
      await site.call("org.update", { fees: [{ id: "park", name: "Park fee", cents: 500, per: "place" }] })
      const session = await sessionAt(id, "2027-05-01T16:00:00Z")
      const path = `/dashboard/departures/${session}/walk-in`
      const { html } = await get(path)
      assert.include(html, "$200")
      const fields = { ...fieldsOf(html, path), quantity: "1", "rate-child": "1", paid: "cash" }
      for (let times = 0; times < 2; times++) {
        const { headers } = await send(path, fields)
        assert.include(headers.get("location") ?? "", "done=walked_in")
      }
      const [booking, ...others] = await list("bookings.list", { session_id: session })
      assert.deepStrictEqual(others, [])
      assert.deepInclude(booking, { quantity: 2, total_cents: 18_000, paid_cents: 18_000, due_cents: 0 })
      const payments = await list("payments.list", {})
      assert.deepStrictEqual(payments.map(({ amount_cents, method }) => ({ amount_cents, method })), [
        { amount_cents: 18_000, method: "cash" }
      ])
      const wrong = await send(path, { ...fields, key: crypto.randomUUID(), quantity: "1", "rate-child": "99" })
      assert.strictEqual(wrong.status, 422)
    })

    it("without an email address, receive messages on the guest page", async () => {
      const { id } = await raft()
      const session_id = await sessionAt(id, "2027-05-01T16:00:00Z")
      const walkIn = { offering_id: id, session_id, walk_in: true, customer: { name: "Ada", phone: "719 555 0142" } }
      const booking = await site.call("bookings.create", walkIn)
      assert.include((await get("/dashboard")).html, "719 555 0142")
      const message = await site.call("messages.send", { booking_id: booking.id, body: "Bring a hat." })
      assert.deepInclude(message, { channel: "page" })
      assert.include((await site.ask(`/b/${String(Object(booking).handle)}`)).html, "Bring a hat.")
      const guest = `/dashboard/guests/${String(Object(booking).customer_id)}`
      const fields = fieldsOf((await get(guest)).html, guest)
      assert.strictEqual((await send(guest, { ...fields, email: "ada@a.co" })).status, 303)
      assert.deepInclude(await site.call("customers.get", { id: String(Object(booking).customer_id) }), {
        email: "ada@a.co"
      })
      assert.notInclude((await get(guest)).html, `name="email"`)
    })
  })

  describe("closed dates", () => {
    const path = "/dashboard/closures/new"
    const close = async (changes: Readonly<Record<string, string>>) => {
      const { html } = await get(`${path}?date=2027-05-08`)
      return send(path, { ...fieldsOf(html, path), reason: "High water", ...changes })
    }

    it("can be added from the calendar and reopened", async () => {
      const { id } = await raft()
      await sessionAt(id, "2027-05-02T15:00:00Z")
      for (const page of ["", "/calendar?day=2027-05-08"]) assert.include((await get(`/dashboard${page}`)).html, path)
      assert.include((await get("/dashboard/calendar")).html, `href="/dashboard/closures"`)
      assert.include((await get("/dashboard/closures")).html, "No dates are closed.")
      const { headers } = await close({
        to_date: "2027-05-09",
        start_time: "12:00",
        end_time: "00:00",
        offering_id: id,
        reason: hostile
      })
      assert.strictEqual(headers.get("location"), "/dashboard/closures?done=dates_closed")
      const { html } = await get("/dashboard/closures")
      assert.include(html, "Sat, May 8 – Sun, May 9, 12:00 PM – 12:00 AM")
      assert.include(html, "Raft trip")
      assert.notInclude(html, "<script>alert")
      const [closure] = await list("closures.list")
      assert.deepInclude(closure, { start_time: "12:00:00", end_time: "24:00:00", offering_id: id })
      const response = await send(`/dashboard/closures/${String(closure?.["id"])}/delete`, {})
      assert.strictEqual(response.headers.get("location"), "/dashboard/closures?done=dates_opened")
      assert.deepStrictEqual(await list("closures.list"), [])
    })

    it("are saved only once", async () => {
      const fields = { ...fieldsOf((await get(path)).html, path), reason: "Smoke" }
      assert.strictEqual((await send(path, fields)).status, 303)
      assert.strictEqual((await send(path, fields)).status, 303)
      assert.strictEqual((await list("closures.list")).length, 1)
      for (
        const [wrong, says] of [
          [{ reason: " " }, "Reason: must be 1 to 200 characters long."],
          [{ to_date: "2027-05-07" }, "Last date: must not be before from_date."],
          [{ start_time: "12:00" }, "Closed from: set both"],
          [{ start_time: "12:00", end_time: "11:00" }, "Closed until: must be after"]
        ] as const
      ) {
        const { html, status } = await close({ reason: "Typed before", ...wrong })
        assert.strictEqual(status, 422, says)
        assert.include(html, says)
        assert.strictEqual(fieldsOf(html, path)["from_date"], "2027-05-08")
      }
    })

    it("show the booked guests and cancel their bookings", async () => {
      const { id } = await raft()
      const guide = await site.call("offerings.create", { ...trip, slot_interval_minutes: 60 })
      const session = await sessionAt(id, "2027-05-08T15:00:00Z")
      const empty = await sessionAt(id, "2027-05-08T20:00:00Z")
      const later = await sessionAt(id, "2027-05-09T15:00:00Z")
      const first = await site.book(id, { session_id: session, quantity: 2 })
      const second = await site.book(guide.id, { starts_at: "2027-05-08T16:00:00Z" })
      const other = await site.book(id, { session_id: later, customer: { email: "grace@example.com" } })
      const { headers } = await close({})
      const [closure] = await list("closures.list")
      const bookings = `/dashboard/closures/${String(closure?.["id"])}`
      assert.strictEqual(headers.get("location"), `${bookings}?done=dates_closed`)
      const { html } = await get(bookings)
      assert.include(html, "<b>2 bookings</b>")
      assert.include(html, "(High water) and have canceled your booking.")
      const fields = fieldsOf(html, bookings)
      assert.strictEqual((await send(bookings, { ...fields, seen: "1" })).status, 409)
      const response = await send(bookings, { ...fields, body: "The river is too high." })
      assert.strictEqual(response.headers.get("location"), "/dashboard/closures?done=called_off")
      for (const { id } of [first, second]) assert.strictEqual((await site.booking(id)).status, "cancelled")
      assert.strictEqual((await site.booking(other.id)).status, "confirmed")
      // Both bookings are for the same guest.
      assert.deepStrictEqual((await list("messages.list")).map(({ body }) => body), ["The river is too high."])
      assert.deepStrictEqual(
        (await list("sessions.list", { status: "scheduled" })).map(({ id }) => id),
        [empty, later]
      )
      assert.include((await get(bookings)).html, "No upcoming bookings start on these dates.")
    })

    it("send no empty or duplicate message", async () => {
      const { id } = await raft()
      const closure = await site.call("closures.create", {
        from_date: "2027-05-08",
        to_date: "2027-05-09",
        reason: "Smoke"
      })
      await site.call("closures.delete", { id: closure.id })
      const bookAt = async (at: string, email: string) =>
        site.book(id, { session_id: await sessionAt(id, at), customer: { email } })
      await bookAt("2027-05-08T15:00:00Z", "ada@example.com")
      await bookAt("2027-05-09T15:00:00Z", "grace@example.com")
      const day = (date: string) => site.call("closures.create", { from_date: date, to_date: date, reason: "Smoke" })
      const eighth = `/dashboard/closures/${(await day("2027-05-08")).id}`
      const ninth = `/dashboard/closures/${(await day("2027-05-09")).id}`
      await send(eighth, { ...fieldsOf((await get(eighth)).html, eighth), body: " " })
      assert.deepStrictEqual(await list("messages.list"), [])
      const fields = fieldsOf((await get(ninth)).html, ninth)
      await send(ninth, fields)
      assert.strictEqual((await send(ninth, fields)).status, 409)
      assert.strictEqual((await list("messages.list")).length, 1)
    })
  })

  describe("departure plans", () => {
    const starts = async (id: string) =>
      (await list("sessions.list", { offering_id: id, limit: 500 })).map(({ starts_at }) => starts_at)

    it("are previewed and create no duplicates", async () => {
      const { id } = await raft()
      const path = `/dashboard/offerings/${id}/sessions/new`
      await sessionAt(id, "2027-10-30T15:00:00Z")
      await site.call("closures.create", { from_date: "2027-11-06", to_date: "2027-11-06", reason: "Smoke" })
      const tables = await site.tables()
      const fields = {
        ...fieldsOf((await get(path)).html, path),
        from_date: "2027-10-25",
        to_date: "2027-11-14",
        "day-0": "on",
        "day-6": "on",
        time_0: "09:00",
        time_1: "13:30",
        except_0: "2027-11-07",
        capacity: "6"
      }
      const { html, status } = await send(path, fields)
      assert.strictEqual(status, 200)
      for (
        const words of [
          "7 new departures",
          "1 already added, 2 on closed dates<",
          "October 30, 2027, 9:00 AM MDT",
          "A departure at this time already exists",
          "Not added (closed date)",
          "November 13, 2027, 1:30 PM MST",
          "Add 7 departures"
        ]
      ) {
        assert.include(html, words)
      }
      assert.notInclude(html, "November 7")
      assert.strictEqual(await site.tables(), tables)
      const plan = fieldsOf(html, path)
      assert.strictEqual(plan["do"], "add")
      const { headers } = await send(path, plan)
      assert.strictEqual(
        headers.get("location"),
        `/dashboard/offerings/${id}/sessions?from=2027-10-30&done=dates_added`
      )
      const startTimes = await starts(id)
      assert.lengthOf(startTimes, 8)
      assert.include(startTimes, "2027-11-13T20:30:00.000Z")
      await send(path, plan)
      assert.deepStrictEqual(await starts(id), startTimes)
      assert.deepInclude((await list("sessions.list", { offering_id: id }))[1], { capacity: 6 })
      assert.include((await send(path, fields)).html, "0 new departures")
    })

    it("prefill a single departure from the URL", async () => {
      const { id } = await raft()
      const path = `/dashboard/offerings/${id}/sessions/new`
      assert.include((await get(`/dashboard/offerings/${id}/sessions`)).html, "No upcoming departures.")
      const { html } = await get(`${path}?date=2027-06-01&time=13:30`)
      const preview = await send(path, fieldsOf(html, path))
      assert.include(preview.html, "1 new departure<")
      const { headers } = await send(path, fieldsOf(preview.html, path))
      assert.include(headers.get("location") ?? "", "?from=2027-06-01&done=date_added")
      assert.deepStrictEqual(await starts(id), ["2027-06-01T19:30:00.000Z"])
    })

    it("warn about unusual start times", async () => {
      const { id } = await raft({ max_advance_days: 30 })
      const path = `/dashboard/offerings/${id}/sessions/new`
      const on = (date: string, time_0: string) => send(path, { from_date: date, to_date: date, time_0, capacity: "" })
      assert.include((await on("2027-04-30", "09:00")).html, "Not added (in the past)")
      assert.include((await on("2027-08-01", "09:00")).html, "Not open for booking yet")
      await site.call("offerings.update", { id, max_advance_days: 400 })
      const { html } = await on("2028-03-12", "02:30")
      assert.include(html, "The clocks change on this day")
      assert.include(html, "3:30 AM MDT")
      assert.include((await on("2028-03-12", "09:00")).html, ">New<")
    })

    it("keep the input if fields are invalid", async () => {
      const { id } = await raft()
      const path = `/dashboard/offerings/${id}/sessions/new`
      const form = { from_date: "2027-06-05", to_date: "2027-06-06", time_0: "08:45", capacity: "7", "day-6": "on" }
      for (
        const [wrong, says] of [
          [{ from_date: "soon" }, "First date: must be a valid date"],
          [{ to_date: "2027-06-04" }, "Last date: must not be before from_date."],
          [{ to_date: "2028-06-06" }, "Last date: a plan can span at most 366 days."],
          [{ time_0: "" }, "Start times: must have 1 to 50 items."],
          [{ time_1: "25:00" }, "Start times: must be a time from"],
          [{ except_0: "never" }, "Skip these dates: must be a valid date"],
          [{ capacity: "0" }, "Seats: must be a whole number from 1 to 10000"]
        ] as const
      ) {
        const { html, status } = await send(path, { ...form, ...wrong })
        assert.strictEqual(status, 422, says)
        assert.include(html, says)
        const keptFields = fieldsOf(html, path)
        if (!("time_0" in wrong)) assert.strictEqual(keptFields["time_0"], "08:45")
        assert.strictEqual(keptFields["day-6"], "on")
      }
      assert.deepStrictEqual(await starts(id), [])
    })
  })

  describe("seasonal and single-date hours", () => {
    const summer = { weekday: 1, start_time: "06:00:00", end_time: "19:00:00", valid_from: "2027-06-01" }
    const holiday = { weekday: 0, start_time: "06:00:00", end_time: "14:00:00", date: "2027-07-04" }
    const make = async (hours: ReadonlyArray<object>) => {
      const { id } = await site.call("offerings.create", trip)
      await site.call("offerings.set_hours", { id, hours })
      return { id, path: `/dashboard/offerings/${id}/hours`, hours: () => list("offerings.get_hours", { id }) }
    }

    it("are saved separately by each form", async () => {
      const weekly = { weekday: 6, start_time: "09:00:00", end_time: "17:00:00" }
      const { hours, id, path } = await make([weekly, summer, holiday])
      const before = await hours()
      const { html } = await get(`/dashboard/offerings/${id}`)
      for (const words of ["All year", "From Tue, Jun 1, 2027", "Sun, Jul 4, 2027", "6:00 AM – 2:00 PM"]) {
        assert.include(html, words)
      }
      for (const query of ["", "?season=2027-06-01/"]) {
        assert.strictEqual(
          (await send(path, { ...fieldsOf((await get(path + query)).html, path), do: "save" })).status,
          303
        )
        assert.sameDeepMembers([...await hours()], [...before])
      }
    })

    it("can be edited for a season", async () => {
      const { hours, path } = await make([holiday])
      const blank = fieldsOf((await get(`${path}?season=new`)).html, path)
      const addedFields = fieldsOf((await send(path, { ...blank, do: "add-1" })).html, path)
      const nameless = await send(path, { ...addedFields, do: "save" })
      assert.strictEqual(nameless.status, 422)
      assert.include(nameless.html, "First date: enter the first or last date of the season.")
      const dates = { valid_from: "2027-06-01", valid_until: "2027-09-06", do: "save" }
      await send(path, { ...addedFields, ...dates })
      const season = { weekday: 1, start_time: "09:00:00", end_time: "17:00:00", valid_from: "2027-06-01" }
      assert.sameDeepMembers([...await hours()], [{ ...season, valid_until: "2027-09-06" }, holiday])
      assert.include((await get(path)).html, "Tue, Jun 1, 2027 – Mon, Sep 6, 2027")
      const fields = fieldsOf((await get(`${path}?season=2027-06-01/2027-09-06`)).html, path)
      await send(path, { ...fields, valid_until: "2027-09-30", do: "save" })
      assert.sameDeepMembers([...await hours()], [{ ...season, valid_until: "2027-09-30" }, holiday])
      await send(path, { season: "2027-06-01/2027-09-30", valid_from: "2027-06-01", do: "save" })
      assert.deepStrictEqual(await hours(), [holiday])
    })

    it("can be edited for single dates", async () => {
      const { hours, path } = await make([summer])
      const dates = `${path}/dates`
      assert.include((await get(dates)).html, "No single dates yet.")
      for (
        const [wrong, says] of [
          [{ date: "x", from: "06:00", to: "14:00" }, "Date: must be a date"],
          [{ date: "2027-07-04", from: "", to: "" }, "From: enter both times."],
          [{ date: "2027-07-04", from: "14:00", to: "06:00" }, "Sunday: the end must be after the start."]
        ] as const
      ) {
        const { html, status } = await send(dates, wrong)
        assert.strictEqual(status, 422, says)
        assert.include(html, says)
      }
      await send(dates, { date: "2027-07-04", from: "06:00", to: "14:00" })
      assert.deepStrictEqual(await hours(), [summer, holiday])
      assert.include((await get(dates)).html, "Sunday, July 4, 2027")
      await send(dates, { remove: "2027-07-04" })
      assert.deepStrictEqual(await hours(), [summer])
    })
  })

  describe("a departure", () => {
    it("can be moved only while no seat is booked", async () => {
      const { id } = await raft()
      const session = await sessionAt(id, "2027-05-08T15:00:00Z")
      const path = `/dashboard/departures/${session}/edit`
      assert.include((await get(`/dashboard/departures/${session}`)).html, path)
      const fields = fieldsOf((await get(path)).html, path)
      assert.deepInclude(fields, { capacity: "", starts_at: "2027-05-08T09:00", notes: "" })
      const tables = await list("sessions.list")
      assert.strictEqual((await send(path, fields)).status, 303)
      assert.deepStrictEqual(await list("sessions.list"), tables)
      await send(path, { ...fields, capacity: "6", starts_at: "2027-05-09T10:30", notes: hostile })
      const [updated] = await list("sessions.list")
      assert.deepInclude(updated, { capacity: 6, starts_at: "2027-05-09T16:30:00.000Z", notes: hostile })
      for (const rest of ["", "/manifest", "/edit"]) {
        const { html } = await get(`/dashboard/departures/${session}${rest}`)
        assert.include(html, "&lt;script>alert(1)")
        assert.notInclude(html, "<script>alert")
      }
      await site.book(id, { session_id: session })
      const bookedPage = await get(path)
      assert.include(bookedPage.html, "1 seat is booked, so the start time cannot be changed.")
      assert.strictEqual((await send(path, { ...fieldsOf(bookedPage.html, path), capacity: "" })).status, 303)
      assert.deepInclude((await list("sessions.list"))[0], { capacity: null, notes: hostile })
      const rejection = await send(path, { capacity: "", notes: "Kept", starts_at: "2027-05-09T11:00" })
      assert.strictEqual(rejection.status, 409)
      assert.include(rejection.html, ">Kept</textarea>")
      const bad = await send(path, { capacity: "0", notes: "" })
      assert.include(bad.html, "Seats: must be a whole number from 1 to 10000, or left empty.")
    })

    it("cannot be edited if it is an appointment", async () => {
      const guide = await site.call("offerings.create", trip)
      const { id } = await site.book(guide.id)
      assert.strictEqual((await get(`/dashboard/departures/${id}/edit`)).status, 400)
    })
  })

  describe("the calendar", () => {
    it("shows days, weeks, months, and a list", async () => {
      const { id } = await raft()
      for (const time of ["15:00", "15:30", "16:00", "16:30", "17:00"]) await sessionAt(id, `2027-05-08T${time}:00Z`)
      await sessionAt(id, "2027-05-31T15:00:00Z")
      for (
        const [query, title, before, next, label] of [
          ["day=2027-05-08", "Saturday, May 8", "day=2027-05-07", "day=2027-05-09", "5 departures"],
          ["week=2027-05-08", "May 2027", "week=2027-04-25", "week=2027-05-09", "5 departures"],
          ["month=2027-05-08", "May 2027", "month=2027-04-01", "month=2027-06-01", "6 departures"],
          ["list=2027-05-08", "May 2027", "list=2027-04-25", "list=2027-05-09", "5 departures"]
        ] as const
      ) {
        const { html } = await get(`/dashboard/calendar?${query}`)
        assert.include(html, `${title}</h1>`, query)
        for (const link of [before, next]) assert.include(html, `/dashboard/calendar?${link}"`, query)
        assert.include(html, label, query)
        for (const view of ["day", "week", "month", "list"]) {
          assert.include(html, `/dashboard/calendar?${view}=2027-05-08"`, query)
        }
      }
      const { html } = await get("/dashboard/calendar?month=2027-05-08")
      assert.include(html, "1 more")
      // The first week of May 2027 starts in April.
      assert.include(html, `/dashboard/calendar?day=2027-04-25"`)
      assert.notInclude(html, `/dashboard/calendar?day=2027-06-06"`)
    })

    it("places overlapping departures side by side", async () => {
      const { id } = await raft()
      for (let n = 0; n < 7; n++) {
        const other = await raft({ name: `Raft ${n}` })
        await sessionAt(other.id, "2027-05-08T15:00:00Z")
      }
      await sessionAt(id, "2027-05-08T22:00:00Z")
      const { html } = await get("/dashboard/calendar?week=2027-05-08")
      assert.lengthOf(html.match(/class="event/g) ?? [], 8)
      for (const share of ["inset-inline-start:0%;width:14.3%", "inset-inline-start:85.7%;width:14.3%"]) {
        assert.include(html, share)
      }
    })

    it("shows closures and links for adding departures, bookings, and closures", async () => {
      const { id } = await raft()
      const guide = await site.call("offerings.create", trip)
      await site.call("closures.create", { from_date: "2027-05-08", to_date: "2027-05-09", reason: hostile })
      await site.call("closures.create", {
        from_date: "2027-05-10",
        to_date: "2027-05-10",
        start_time: "12:00",
        end_time: "15:00",
        offering_id: id,
        reason: "Lightning"
      })
      for (const view of ["day=2027-05-10", "week=2027-05-10", "month=2027-05-10", "list=2027-05-10"]) {
        const { html } = await get(`/dashboard/calendar?${view}`)
        assert.include(html, "Partly closed: <span dir=\"auto\">Lightning</span>, 12:00 PM – 3:00 PM", view)
        assert.include(html, `aria-label="Add to Monday, May 10"`, view)
        assert.notInclude(html, "<script>alert")
      }
      assert.include((await get("/dashboard/calendar?week=2027-05-08")).html, `class="column closed"`)
      assert.notInclude((await get("/dashboard/calendar?day=2027-05-10")).html, `class="column closed"`)
      assert.include((await get("/dashboard/calendar?week=2027-05-08")).html, "add?date=2027-05-08&amp;time=09:30")
      const { html } = await get("/dashboard/calendar/add?date=2027-05-08&time=09:30")
      assert.include(html, "Add to Saturday, May 8")
      for (
        const path of [
          `/dashboard/offerings/${id}/sessions/new?date=2027-05-08&amp;time=09%3A30`,
          `/dashboard/bookings/new?offering=${guide.id}&amp;date=2027-05-08`,
          "/dashboard/closures/new?date=2027-05-08"
        ]
      ) {
        assert.include(html, path)
      }
      assert.strictEqual((await get("/dashboard/calendar/add?date=x&time=25:00")).status, 200)
    })
  })
})
