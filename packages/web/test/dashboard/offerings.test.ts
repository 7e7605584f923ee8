/** Tests the pages where outfitters set up offerings and departures. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { fieldsOf } from "./fields.ts"

const hostile = `"><script>alert(1)</script>`

describe("the offerings pages", () => {
  let site: TestSite
  let cookie: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn("staff")
  })
  afterEach(() => site.close())

  const get = (path: string) => site.ask(path, { headers: { cookie } })
  const send = (path: string, form: Readonly<Record<string, string>>) => site.ask(path, { headers: { cookie }, form })
  const classes = (overrides: object = {}) =>
    site.call("offerings.create", { name: "Raft trip", kind: "class", price_cents: 12_500, capacity: 10, ...overrides })
  const list = async (name: string, input: object) =>
    (await site.call(name, input)) as unknown as { readonly data: ReadonlyArray<Record<string, unknown>> }

  it("list each offering with its price and next start time", async () => {
    const raft = await classes()
    await site.call("sessions.create", { offering_id: raft.id, starts_at: "2027-05-08T15:00:00Z" })
    await classes({ name: "Without dates" })
    await classes({ name: "Asleep", active: false })
    await site.call("offerings.create", { ...trip, price_cents: 0 })
    const late = await classes({ name: "Next year", max_advance_days: 30 })
    await site.call("sessions.create", { offering_id: late.id, starts_at: "2027-09-08T15:00:00Z" })
    const shut = await site.call("offerings.create", { name: "Shut", kind: "rental" })
    await site.call("offerings.set_hours", { id: shut.id, hours: [] })
    const full = await classes({ name: "Sold out", capacity: 1 })
    await site.call("sessions.create", { offering_id: full.id, starts_at: "2027-05-08T15:00:00Z" })
    await site.book(full.id)
    const { html } = await get("/dashboard/offerings")
    const row = (name: string) => html.split("<li>").find((part) => part.includes(name)) ?? ""
    assert.include(row("Raft trip"), "$125 per seat")
    assert.include(row("Raft trip"), "Next: Sat, May 8, 9:00 AM")
    assert.include(row("Raft trip"), "Open for booking")
    assert.include(row("Without dates"), "No departures")
    assert.include(row("Asleep"), "Paused")
    assert.include(row("Browns Canyon"), "Free")
    assert.include(row("Next year"), "Booking not open yet")
    assert.include(row("Shut"), "No weekly hours")
    assert.include(row("Sold out"), "Fully booked")
  })

  it("list offerings in pages, or show the next step if none exist", async () => {
    assert.include((await get("/dashboard/offerings")).html, "Set up your first activity")
    for (let n = 0; n < 21; n++) await classes({ name: `Trip ${n}`, active: false })
    const first = await get("/dashboard/offerings")
    assert.include(first.html, "Trip 19<")
    assert.notInclude(first.html, "Trip 20<")
    const next = /href="(\?cursor=[^"]*)">Next/.exec(first.html)?.[1] ?? ""
    const second = await get(`/dashboard/offerings${next}`)
    assert.include(second.html, "Trip 20<")
    assert.notInclude(second.html, "Next</a>")
  })

  it("add an offering with all fields of its kind", async () => {
    assert.include((await get("/dashboard/offerings/new")).html, "How do guests book this activity?")
    for (const kind of ["class", "appointment", "rental"]) {
      const path = "/dashboard/offerings/new"
      const { html } = await get(`${path}?kind=${kind}`)
      const fields = {
        ...fieldsOf(html, path),
        name: `A ${kind}`,
        price: "1,250.50",
        lat: "38,5",
        lon: "-106",
        notice: "1.5"
      }
      const { headers, status } = await send(path, { ...fields, metadata: `{"boat": "red"}`, gauge_site: "07091200" })
      assert.strictEqual(status, 303)
      const [, id = "", rest] =
        /offerings\/([^/]*)\/([a-z]*)\?done=offering_added/.exec(headers.get("location") ?? "") ?? []
      assert.strictEqual(rest, kind === "class" ? "sessions" : "hours")
      const offering = await site.call("offerings.get", { id })
      assert.deepInclude(offering, {
        kind,
        name: `A ${kind}`,
        price_cents: 125_050,
        lat: 38.5,
        lon: -106,
        min_notice_minutes: 90,
        metadata: { boat: "red" },
        gauge_site: "07091200",
        active: true
      })
      // Submitting the form again did not create a second offering.
      await send(path, { ...fields, metadata: `{"boat": "red"}`, gauge_site: "07091200" })
    }
    assert.strictEqual((await list("offerings.list", {})).data.length, 3)
  })

  it("accept prices in the org's currency", async () => {
    for (
      const [currency, price, cents, again] of [["jpy", "12,500", 12_500, "12500"], [
        "kwd",
        "9.5",
        9500,
        "9.500"
      ]] as const
    ) {
      await site.call("org.update", { currency })
      const { id } = await classes()
      const path = `/dashboard/offerings/${id}`
      const { status } = await send(path, { ...fieldsOf((await get(path)).html, path), price })
      assert.strictEqual(status, 303)
      assert.strictEqual((await site.call("offerings.get", { id }))["price_cents"], cents)
      assert.include((await get(path)).html, `value="${again}"`)
    }
  })

  it("change nothing if the form is saved unchanged", async () => {
    for (
      const input of [
        {
          name: "a",
          kind: "rental",
          duration_minutes: 90,
          buffer_minutes: 30,
          slot_interval_minutes: 1440,
          max_periods: 4
        },
        {
          name: hostile,
          kind: "appointment",
          description: `${hostile}\n&amp;`,
          location: hostile,
          metadata: { a: [1, "<"] }
        },
        { name: "c", kind: "class", min_notice_minutes: 61, lat: -1.25, lon: 0 }
      ]
    ) {
      const before = await site.call("offerings.create", input)
      const path = `/dashboard/offerings/${before.id}`
      const { html } = await get(path)
      assert.notInclude(html, "<script>alert")
      const tables = await site.tables()
      assert.strictEqual((await send(path, fieldsOf(html, path))).status, 303)
      assert.deepStrictEqual(await site.call("offerings.get", { id: before.id }), before)
      assert.strictEqual(await site.tables(), tables)
    }
  })

  it("show errors next to the fields, and keep the input", async () => {
    const { id } = await classes()
    const path = `/dashboard/offerings/${id}`
    const fields = fieldsOf((await get(path)).html, path)
    for (
      const [wrong, says, field] of [
        [{ name: " " }, "Name: must be 1 to 120 characters long.", "name"],
        [{ price: "ninety" }, "Price per seat: must be an amount such as 95.50.", "price"],
        [{ capacity: "0" }, "Seats per departure: must be a whole number from 1 to 10000.", "capacity"],
        [
          { duration: "1", duration_unit: "minutes" },
          "Duration: must be 5 minutes to 30 days.",
          "duration"
        ],
        [
          { notice: "31", notice_unit: "days" },
          "Minimum notice: must be 0 minutes to 30 days.",
          "notice"
        ],
        [{ lat: "91", lon: "1" }, "Latitude: must be a number from -90 to 90, or left empty.", "lat"],
        [{ notice: "x" }, "Minimum notice: must be a number such as 90 or 1.5.", "notice"],
        [{ lat: "38" }, "Latitude: set the latitude and the longitude together, or omit both.", "lat"],
        [{ metadata: "{" }, "Custom data (JSON): must be a JSON object", "metadata"],
        [{ metadata: "[1]" }, "Custom data (JSON): must be a JSON object", "metadata"]
      ] as const
    ) {
      const { html, status } = await send(path, { ...fields, description: "typed before", ...wrong })
      assert.strictEqual(status, 422, says)
      assert.include(html, says)
      assert.include(html, `href="#${field}"`)
      assert.include(html, `id="${field}-error"`)
      assert.include(html, "typed before")
    }
    assert.strictEqual((await site.call("offerings.get", { id }))["description"], "")
  })

  it("pause an offering and resume it", async () => {
    const { id } = await classes()
    for (const [active, outcome] of [["false", "paused"], ["true", "resumed"]] as const) {
      const { headers } = await send(`/dashboard/offerings/${id}/pause`, { active })
      assert.strictEqual(headers.get("location"), `/dashboard/offerings/${id}?done=${outcome}`)
      assert.strictEqual(String((await site.call("offerings.get", { id }))["active"]), active)
    }
  })

  describe("weekly hours", () => {
    const hoursOf = async (id: string) => (await list("offerings.get_hours", { id })).data
    const make = async () => {
      const { id } = await site.call("offerings.create", trip)
      const path = `/dashboard/offerings/${id}/hours`
      return { id, path, fields: fieldsOf((await get(path)).html, path) }
    }

    it("are stored only when the form is saved", async () => {
      const { fields, id, path } = await make()
      assert.strictEqual(fields["from-1-0"], "09:00")
      const before = await hoursOf(id)
      const tables = await site.tables()
      const response = await send(path, { ...fields, "to-1-0": "12:00", do: "add-1" })
      assert.strictEqual(response.status, 200)
      const two = fieldsOf(response.html, path)
      assert.strictEqual(two["to-1-0"], "12:00")
      assert.strictEqual(two["from-1-1"], "")
      const afterRemove = fieldsOf((await send(path, { ...two, do: "remove-1-0" })).html, path)
      assert.strictEqual(afterRemove["from-1-0"], "")
      assert.isUndefined(afterRemove["from-1-1"])
      const afterCopy = fieldsOf(
        (await send(path, { ...two, "from-1-1": "13:00", "to-1-1": "18:00", do: "copy-1" })).html,
        path
      )
      assert.strictEqual(afterCopy["to-6-1"], "18:00")
      assert.strictEqual(await site.tables(), tables)
      assert.deepStrictEqual(await hoursOf(id), before)
      const { headers } = await send(path, {
        ...afterCopy,
        "from-0-0": "",
        "to-0-0": "",
        "from-0-1": "",
        "to-0-1": "",
        do: "save"
      })
      assert.strictEqual(headers.get("location"), `/dashboard/offerings/${id}?done=saved`)
      const after = await hoursOf(id)
      assert.strictEqual(after.length, 12)
      assert.deepInclude(after, { weekday: 6, start_time: "13:00:00", end_time: "18:00:00" })
    })

    it("can end at midnight", async () => {
      const { fields, id, path } = await make()
      await send(path, { ...fields, "from-5-0": "18:00", "to-5-0": "00:00", do: "save" })
      assert.deepInclude(await hoursOf(id), { weekday: 5, start_time: "18:00:00", end_time: "24:00:00" })
      const again = fieldsOf((await get(path)).html, path)
      assert.strictEqual(again["to-5-0"], "00:00")
      assert.include((await get(`/dashboard/offerings/${id}`)).html, "6:00 PM – 12:00 AM")
    })

    it("name the invalid day and keep the input", async () => {
      const { fields, id, path } = await make()
      const before = await hoursOf(id)
      for (
        const [wrong, says] of [
          [{ "from-2-0": "17:00", "to-2-0": "09:00" }, "Tuesday: the end must be after the start."],
          [{ "from-3-0": "" }, "Wednesday: enter both times, or leave both empty."]
        ] as const
      ) {
        const { html, status } = await send(path, { ...fields, "from-1-0": "08:15", ...wrong, do: "save" })
        assert.strictEqual(status, 422)
        assert.include(html, says)
        assert.strictEqual(fieldsOf(html, path)["from-1-0"], "08:15")
      }
      assert.deepStrictEqual(await hoursOf(id), before)
    })

    it("can have at most fifty windows", async () => {
      const { id, path } = await make()
      const hours = Array.from({ length: 50 }, (_, n) => ({
        weekday: n % 7,
        start_time: `0${Math.floor(n / 7)}:00`,
        end_time: `0${Math.floor(n / 7)}:30`
      }))
      await site.call("offerings.set_hours", { id, hours })
      const before = await hoursOf(id)
      assert.strictEqual((await send(path, { ...fieldsOf((await get(path)).html, path), do: "save" })).status, 303)
      assert.sameDeepMembers([...await hoursOf(id)], [...before])
      const fields = fieldsOf((await get(path)).html, path)
      const response = await send(path, { ...fields, "from-6-90": "20:00", "to-6-90": "21:00", do: "save" })
      assert.strictEqual(response.status, 422)
      assert.include(response.html, "Weekly hours: must have at most 50 items.")
    })

    it("are not offered for a class", async () => {
      const { id } = await classes()
      assert.strictEqual((await get(`/dashboard/offerings/${id}/hours`)).status, 400)
    })
  })

  describe("departure cancellations", () => {
    const sessionsOf = async (id: string) => (await list("sessions.list", { offering_id: id })).data

    it("require a review of the current bookings", async () => {
      const { id } = await classes()
      await site.call("sessions.create", { offering_id: id, starts_at: "2027-05-08T15:00:00Z", repeat_weeks: 2 })
      const paidBooking = await site.book(id, { quantity: 2 })
      await site.pay(paidBooking)
      await site.book(id, { customer: { email: "grace@example.com", name: hostile } })
      const [session] = await sessionsOf(id)
      const page = await get(`/dashboard/offerings/${id}/sessions`)
      assert.include(page.html, "3 of 10 seats booked")
      const address = /href="([^"]*\/cancel\?at=[^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const tables = await site.tables()
      const { html } = await get(address)
      assert.include(html, "<b>2 bookings</b> for 3 guests are canceled.")
      assert.include(html, "Online payments for 1 booking are refunded in full: $250 in total.")
      assert.include(html, "Ada Lovelace")
      assert.notInclude(html, "<script>alert")
      assert.strictEqual(await site.tables(), tables)
      const path = `/dashboard/offerings/${id}/sessions/${String(session?.["id"])}/cancel`
      const fields = fieldsOf(html, path)
      await site.book(id, { customer: { email: "mae@example.com" } })
      const meanwhile = await send(path, fields)
      assert.strictEqual(meanwhile.status, 409)
      assert.include(
        meanwhile.html,
        "Some bookings changed while this page was open. Nothing was canceled. Review the bookings again."
      )
      assert.include(meanwhile.html, "<b>3 bookings</b>")
      const response = await send(path, fieldsOf(meanwhile.html, path))
      assert.strictEqual(response.headers.get("location"), `/dashboard/offerings/${id}/sessions?done=date_cancelled`)
      assert.strictEqual((await site.booking(paidBooking.id)).status, "cancelled")
      assert.strictEqual((await site.booking(paidBooking.id)).refund?.cents, 25_000)
      assert.include((await get(address)).html, "already canceled")
    })

    it("state that no bookings are affected if there are none", async () => {
      const { id } = await classes()
      await site.call("sessions.create", { offering_id: id, starts_at: "2027-05-08T15:00:00Z" })
      const [session] = await sessionsOf(id)
      const path = `/dashboard/offerings/${id}/sessions/${String(session?.["id"])}/cancel`
      assert.include(
        (await get(`${path}?at=2027-05-08T15:00:00Z`)).html,
        "No bookings are affected, so no email is sent and nothing is refunded."
      )
      for (const at of ["", "?at=x", "?at=2027-05-08T16:00:00Z"]) assert.strictEqual((await get(path + at)).status, 404)
    })
  })

  it("list the bookings to cancel before an offering is deleted", async () => {
    const { id } = await classes()
    await site.call("sessions.create", { offering_id: id, starts_at: "2027-05-08T15:00:00Z", repeat_weeks: 2 })
    const path = `/dashboard/offerings/${id}/delete`
    const none = await get(path)
    assert.include(none.html, "No bookings are affected, so no email is sent and nothing is refunded.")
    assert.include(none.html, "2 upcoming departures are canceled.")
    const booking = await site.book(id)
    // The form confirmed the deletion when there were no bookings, so a booking made since then causes a conflict.
    const meanwhile = await send(path, fieldsOf(none.html, path))
    assert.strictEqual(meanwhile.status, 409)
    assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
    const { headers } = await send(path, fieldsOf(meanwhile.html, path))
    assert.strictEqual(headers.get("location"), "/dashboard/offerings?done=offering_deleted")
    assert.strictEqual((await site.booking(booking.id)).status, "cancelled")
    assert.strictEqual((await get(path)).status, 404)
  })

  it("return the not-found page for an unknown offering", async () => {
    const id = "01890a5d-ac96-774b-bcce-b302099a8057"
    for (const rest of ["", "/hours", "/sessions", "/sessions/new", "/delete"]) {
      assert.strictEqual((await get(`/dashboard/offerings/${id}${rest}`)).status, 404, rest)
    }
    assert.strictEqual((await send(`/dashboard/offerings/${id}/pause`, { active: "false" })).status, 404)
  })
})
