/** The schedule of a season: closed dates, plans of departures, season hours, and single departures. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, type Place, trip } from "../guest/Place.ts"
import { fieldsOf } from "./fields.ts"

const hostile = `"><script>alert(1)</script>`

describe("the schedule pages", () => {
  let place: Place
  let cookie: string
  beforeEach(async () => {
    place = await open()
    cookie = await place.signIn("staff")
  })
  afterEach(() => place.close())

  const get = (path: string) => place.ask(path, { headers: { cookie } })
  const send = (path: string, form: Readonly<Record<string, string>>) => place.ask(path, { headers: { cookie }, form })
  const list = async (name: string, input: object = {}) =>
    ((await place.call(name, input)) as unknown as { readonly data: ReadonlyArray<Record<string, unknown>> }).data
  const raft = (given: object = {}) =>
    place.call("offerings.create", { name: "Raft trip", kind: "class", price_cents: 12_500, capacity: 10, ...given })
  const sessionAt = async (offering_id: string, starts_at: string) => {
    const [session] = await list("sessions.create", { offering_id, starts_at })
    return String(session?.["id"])
  }

  describe("closed dates", () => {
    const path = "/dashboard/closures/new"
    const close = async (given: Readonly<Record<string, string>>) => {
      const { html } = await get(`${path}?date=2027-05-08`)
      return send(path, { ...fieldsOf(html, path), reason: "High water", ...given })
    }

    it("are linked from Today and the calendar, and list each closure with a button that opens it again", async () => {
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
      const [made] = await list("closures.list")
      assert.deepInclude(made, { start_time: "12:00:00", end_time: "24:00:00", offering_id: id })
      const opened = await send(`/dashboard/closures/${String(made?.["id"])}/delete`, {})
      assert.strictEqual(opened.headers.get("location"), "/dashboard/closures?done=dates_opened")
      assert.deepStrictEqual(await list("closures.list"), [])
    })

    it("are closed once if the form is sent twice, and keep the input if they are refused", async () => {
      const typed = { ...fieldsOf((await get(path)).html, path), reason: "Smoke" }
      assert.strictEqual((await send(path, typed)).status, 303)
      assert.strictEqual((await send(path, typed)).status, 303)
      assert.strictEqual((await list("closures.list")).length, 1)
      for (
        const [wrong, says] of [
          [{ reason: " " }, "Reason: must be 1 to 200 characters long."],
          [{ to_date: "2027-05-07" }, "Last date: must not be before from_date."],
          [{ start_time: "12:00" }, "Closed from: give both"],
          [{ start_time: "12:00", end_time: "11:00" }, "Closed until: must be after"]
        ] as const
      ) {
        const { html, status } = await close({ reason: "Typed before", ...wrong })
        assert.strictEqual(status, 422, says)
        assert.include(html, says)
        assert.strictEqual(fieldsOf(html, path)["from_date"], "2027-05-08")
      }
    })

    it("show the booked guests, who can be called off with one message each", async () => {
      const { id } = await raft()
      const guide = await place.call("offerings.create", { ...trip, slot_interval_minutes: 60 })
      const session = await sessionAt(id, "2027-05-08T15:00:00Z")
      const empty = await sessionAt(id, "2027-05-08T20:00:00Z")
      const later = await sessionAt(id, "2027-05-09T15:00:00Z")
      const first = await place.book(id, { session_id: session, quantity: 2 })
      const second = await place.book(guide.id, { starts_at: "2027-05-08T16:00:00Z" })
      const other = await place.book(id, { session_id: later, customer: { email: "grace@example.com" } })
      const { headers } = await close({})
      const [made] = await list("closures.list")
      const bookings = `/dashboard/closures/${String(made?.["id"])}`
      assert.strictEqual(headers.get("location"), `${bookings}?done=dates_closed`)
      const { html } = await get(bookings)
      assert.include(html, "<b>2 bookings</b>")
      assert.include(html, "(High water), so we cancel your booking.")
      const fields = fieldsOf(html, bookings)
      assert.strictEqual((await send(bookings, { ...fields, seen: "1" })).status, 409)
      const done = await send(bookings, { ...fields, body: "The river is too high." })
      assert.strictEqual(done.headers.get("location"), "/dashboard/closures?done=called_off")
      for (const { id } of [first, second]) assert.strictEqual((await place.booking(id)).status, "cancelled")
      assert.strictEqual((await place.booking(other.id)).status, "confirmed")
      // Both bookings have the same guest.
      assert.deepStrictEqual((await list("messages.list")).map(({ body }) => body), ["The river is too high."])
      assert.deepStrictEqual(
        (await list("sessions.list", { status: "scheduled" })).map(({ id }) => id),
        [empty, later]
      )
      assert.include((await get(bookings)).html, "No upcoming bookings start on these dates.")
    })

    it("send no message if its text is empty, and no second one if the form is repeated", async () => {
      const { id } = await raft()
      const made = await place.call("closures.create", {
        from_date: "2027-05-08",
        to_date: "2027-05-09",
        reason: "Smoke"
      })
      await place.call("closures.delete", { id: made.id })
      const booked = async (at: string, email: string) =>
        place.book(id, { session_id: await sessionAt(id, at), customer: { email } })
      await booked("2027-05-08T15:00:00Z", "ada@example.com")
      await booked("2027-05-09T15:00:00Z", "grace@example.com")
      const day = (date: string) => place.call("closures.create", { from_date: date, to_date: date, reason: "Smoke" })
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
})
