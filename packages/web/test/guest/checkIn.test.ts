import type { BookingView } from "@trailbook/core/booking"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "./TestSite.ts"

describe("check-in", () => {
  let site: TestSite
  let cookie: string
  let booking: BookingView
  beforeAll(async () => {
    site = await open()
    cookie = await site.signIn("staff")
    const { id } = await site.call("offerings.create", trip)
    const customer = { email: "grace@example.com", name: "Grace Hopper", phone: "+1 719 555 0199" }
    booking = await site.book(id, { quantity: 3, customer, notes: "Left-handed." })
    site.set(booking.starts_at)
  })
  afterAll(() => site.close())

  const ask = (path: string, form?: Readonly<Record<string, string>>) =>
    site.ask(path, { headers: { cookie }, ...(form === undefined ? {} : { form }) })
  const tap = (form: Readonly<Record<string, string>>) => ask(`/dashboard/bookings/${booking.id}/attendance`, form)
  const attendance = async () => {
    const { attendance } = await site.booking(booking.id)
    return attendance === null ? "none" : `${attendance.status} ${attendance.arrived} by ${attendance.by.kind}`
  }

  it("shows strangers who scan a QR code only the outfitter's name", async () => {
    const elsewhere = await site.signInElsewhere()
    const before = await site.tables()
    const { html, status } = await site.ask(booking.check_in_url)
    assert.strictEqual(status, 200)
    assert.include(html, "Show this to our staff")
    assert.include(html, site.org.name)
    for (const secret of ["Grace", booking.reference, booking.id, booking.handle]) assert.notInclude(html, secret)
    for (const unknown of ["/c/x", `/c/${booking.handle}`, `${booking.check_in_url}x`]) {
      assert.strictEqual((await site.ask(unknown)).status, 404)
    }
    const other = await site.ask(booking.check_in_url, { headers: { cookie: elsewhere } })
    assert.include(other.html, "Show this to our staff")
    assert.strictEqual(await site.tables(), before)
    // The token must not open a guest page.
    assert.strictEqual((await site.ask(booking.check_in_url.replace("/c/", "/b/"))).status, 404)
  })

  it("redirects staff who scan a QR code to the booking", async () => {
    const { headers, status } = await ask(booking.check_in_url)
    assert.strictEqual(status, 303)
    const path = `/dashboard/bookings/${booking.id}`
    assert.strictEqual(headers.get("location"), path)
    assert.include((await ask(path)).html, "Check in 3")
    assert.strictEqual(await attendance(), "none")
  })

  it("shows the QR code on the guest page as inline SVG", async () => {
    const { html } = await site.ask(`/b/${booking.handle}`)
    assert.match(html, /<figure[^>]*aria-label="QR code for check-in"><svg/)
    assert.include(html, "Show this code when you arrive.")
  })

  it("records and undoes arrivals and no-shows with forms on the departure page", async () => {
    const path = `/dashboard/departures/${booking.id}`
    const page = await ask(path)
    for (const text of ["0 of 3", "Check in 3", "No-show", "href=\"tel:+17195550199\"", "Left-handed."]) {
      assert.include(page.html, text)
    }
    assert.include(page.html, `href="/dashboard/bookings/${booking.id}/payments/new" aria-label="Collect $95: `)
    const departure = booking.id
    const { headers } = await tap({ tap: "3", departure })
    assert.strictEqual(headers.get("location"), `${path}#party-${booking.id}`)
    assert.strictEqual(await attendance(), "checked_in 3 by staff")
    await tap({ tap: "2", departure })
    assert.include((await ask(path)).html, "2 of 3")
    // A tap that was made earlier on another phone changes nothing.
    await tap({ tap: "no_show", departure, at: new Date(Date.parse(booking.starts_at) - 1).toISOString() })
    assert.strictEqual(await attendance(), "checked_in 2 by staff")
    await tap({ tap: "0", departure })
    assert.strictEqual(await attendance(), "none")
    await tap({ tap: "no_show" })
    assert.strictEqual(await attendance(), "no_show 0 by staff")
    assert.include((await ask(path)).html, "0 of 3")
    assert.strictEqual((await tap({ tap: "4" })).status, 422)
  })

  it("streams a departure's manifest as CSV, with formulas escaped", async () => {
    const { customer_id: id } = booking
    await site.call("customers.update", { id, name: "=1+1" })
    const path = `/dashboard/departures/${booking.id}/manifest`
    assert.include((await ask(path)).html, `href="${path}.csv"`)
    const { headers, html } = await ask(`${path}.csv`)
    assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
    assert.include(headers.get("content-disposition") ?? "", `${site.org.slug}-manifest.csv`)
    assert.deepStrictEqual(html.split("\r\n"), [
      "Guest,Party,Arrived,Attendance,Phone,Email,Notes,Payment,Reference",
      `'=1+1,3,0,No-show,'+1 719 555 0199,grace@example.com,Left-handed.,$95 due,${booking.reference}`,
      ""
    ])
  })
})

it("a guest cannot change a booking once its guests are checked in", async () => {
  const site = await open()
  const { id } = await site.call("offerings.create", trip)
  const booking = await site.book(id)
  await site.call("org.update", { guest_changes_hours: 0 })
  site.set(new Date(Date.parse(booking.starts_at) - 3_600_000).toISOString())
  assert.include((await site.ask(`/b/${booking.handle}`)).html, "/cancel")
  await site.call("bookings.check_in", { id: booking.id })
  assert.notInclude((await site.ask(`/b/${booking.handle}`)).html, "/cancel")
  for (const path of ["cancel", "move"]) {
    assert.strictEqual((await site.ask(`/b/${booking.handle}/${path}`, { form: {} })).status, 409)
  }
  assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
  await site.close()
})
