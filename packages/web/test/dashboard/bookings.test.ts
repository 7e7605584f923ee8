import type { BookingView } from "@trailbook/core/booking"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

const guest = { email: "grace@example.com", name: "Grace Hopper", phone: "+1 719 555 0199" }

describe("the dashboard's booking pages", () => {
  let site: TestSite
  let cookie: string
  let tripId: string
  let raftId: string
  let sessionId: string
  beforeAll(async () => {
    site = await open()
    cookie = await site.signIn("staff")
    tripId = (await site.call("offerings.create", trip)).id
    raftId = (await site.call("offerings.create", { name: "Raft", kind: "class", capacity: 2, price_cents: 5000 })).id
    const created = await site.call("sessions.create", { offering_id: raftId, starts_at: "2027-06-01T15:00:00Z" })
    sessionId = /"id":"([^"]+)"/.exec(JSON.stringify(created))?.[1] ?? ""
  })
  afterAll(() => site.close())

  const ask = (path: string, form?: Readonly<Record<string, string>>) =>
    site.ask(path, { headers: { cookie }, ...(form === undefined ? {} : { form }) })
  const slots = async (offering: string) => {
    const { html } = await ask(`/dashboard/bookings/new?offering=${offering}`)
    return { html, slot: /name="slot" value="([^"]+)"/.exec(html)?.[1] ?? "", key: keyIn(html) }
  }
  const keyIn = (html: string) => /name="key" value="([^"]+)"/.exec(html)?.[1] ?? ""
  const bookings = async () =>
    ((await site.call("bookings.list", { limit: 500 }))["data"] as ReadonlyArray<BookingView>).length

  it("show the remaining spots and book only once", async () => {
    const { html, key, slot } = await slots(tripId)
    assert.include(html, "40 of 40 left")
    const before = await bookings()
    const form = { offering: tripId, slot, key, quantity: "2", notes: "Left-handed.", hold_minutes: "", ...guest }
    const response = await ask("/dashboard/bookings/new", form)
    assert.strictEqual(response.status, 303)
    const again = await ask("/dashboard/bookings/new", form)
    assert.strictEqual(again.headers.get("location"), response.headers.get("location"))
    assert.strictEqual(await bookings(), before + 1)
    const page = await ask(response.headers.get("location") ?? "")
    assert.include(page.html, "Booking confirmed. The guest gets an email.")
    assert.include(page.html, "your team")
    assert.include(page.html, "Left-handed.")
    // Submitting the form again with different values is a conflict, and the form gets a new key.
    const other = await ask("/dashboard/bookings/new", { ...form, quantity: "3" })
    assert.strictEqual(other.status, 409)
    assert.notStrictEqual(keyIn(other.html), key)
  })

  it("show the amount due before a hold is confirmed", async () => {
    const { key, slot } = await slots(tripId)
    const form = { offering: tripId, slot, key, quantity: "1", hold_minutes: "60", ...guest }
    const path = (await ask("/dashboard/bookings/new", form)).headers.get("location")?.split("?")[0] ?? ""
    assert.include((await ask(path)).html, "The spot is held until")
    const confirmPage = await ask(`${path}/confirm`)
    assert.include(
      confirmPage.html,
      "$95 is due. Confirming does not charge the guest, so collect the payment yourself."
    )
    assert.include(confirmPage.html, "grace@example.com")
    assert.strictEqual((await ask(`${path}/confirm`, {})).status, 303)
    assert.include((await ask(path)).html, "Confirmed")
    assert.include((await ask(`${path}/confirm`)).html, "This booking is already confirmed.")
  })

  it("record a payment only once, and let only owners refund it", async () => {
    const { id } = await site.book(tripId)
    const path = `/dashboard/bookings/${id}`
    const key = keyIn((await ask(`${path}/payments/new`)).html)
    const form = { key, method: "cash", amount_cents: "40", note: "Half now" }
    for (const _ of [1, 2]) assert.strictEqual((await ask(`${path}/payments/new`, form)).status, 303)
    const page = await ask(path)
    assert.include(page.html, "$40 paid, $55 due")
    assert.include(page.html, "Half now")
    assert.notInclude(page.html, "Void")
    const tooMuch = await ask(`${path}/payments/new`, { ...form, key: crypto.randomUUID(), amount_cents: "60" })
    assert.strictEqual(tooMuch.status, 409)
    assert.include(tooMuch.html, "must be at most $55.00, the amount due")
    assert.strictEqual((await ask(`${path}/refunds/new`)).status, 403)

    const headers = { cookie: await site.signIn("owner") }
    const refund = { key: crypto.randomUUID(), method: "cash", amount_cents: "15" }
    assert.strictEqual((await site.ask(`${path}/refunds/new`, { headers, form: refund })).status, 303)
    const { html } = await site.ask(path, { headers })
    assert.include(html, "$25 paid, $70 due")
    const entry = /payments\/([\w-]{36})\/void/.exec(html)?.[1] ?? ""
    const voided = await site.ask(`${path}/payments/${entry}/void`, { headers, form: {} })
    assert.strictEqual(voided.status, 303)
    assert.include((await site.ask(path, { headers })).html, "$40 paid, $55 due")
  })

  it("offer changes to a booking until the trip ends", async () => {
    const booking = await site.book(tripId)
    const path = `/dashboard/bookings/${booking.id}`
    assert.include((await ask(path)).html, `href="${path}/move"`)
    site.set(new Date(Date.parse(booking.ends_at)).toISOString())
    const { html } = await ask(path)
    assert.notInclude(html, `href="${path}/move"`)
    assert.notInclude(html, `href="${path}/cancel"`)
    assert.include((await ask(`${path}/cancel`)).html, "No seats become available.")
    assert.include((await ask(`${path}/move`)).html, "This trip has ended and cannot be moved.")
    site.set("2027-05-01T14:00:00Z")
  })

  it("show field errors and keep the input", async () => {
    const { key, slot } = await slots(tripId)
    const form = { offering: tripId, slot, key, hold_minutes: "240", ...guest, notes: "Two <b>small</b> ones" }
    for (
      const [wrong, message, field] of [
        [{ quantity: "0" }, "Quantity: ", "quantity"],
        [{ quantity: "1", email: "grace" }, "Email: ", "email"],
        [{ quantity: "1", slot: "" }, "Time: ", "slot"]
      ] as const
    ) {
      const { html, status } = await ask("/dashboard/bookings/new", { ...form, ...wrong })
      assert.strictEqual(status, 422, message)
      assert.include(html, message)
      assert.include(html, `href="#${field}"`)
      assert.include(html, "Two &lt;b>small&lt;/b> ones")
      assert.include(html, `value="Grace Hopper"`)
      assert.strictEqual(keyIn(html), key)
    }
  })

  it("keep the input if another booking takes the time", async () => {
    const { html, key, slot } = await slots(raftId)
    assert.include(html, "2 of 2 left")
    await site.call("bookings.create", { offering_id: raftId, session_id: sessionId, quantity: 2, customer: guest })
    const form = { offering: raftId, slot, key, quantity: "1", ...guest, date: "2027-06-01" }
    const rejection = await ask("/dashboard/bookings/new", form)
    assert.strictEqual(rejection.status, 409)
    assert.include(rejection.html, "note wrong")
    assert.include(rejection.html, "Full")
    assert.include(rejection.html, `value="grace@example.com"`)
  })

  it("find bookings by reference, guest, status, offering, and date", async () => {
    const booking = await site.book(tripId, {
      customer: { email: "zoe@example.org", name: "Zoë Kowalski", phone: "0719 42" }
    })
    const isListed = async (query: string) =>
      (await ask(`/dashboard/bookings?${query}`)).html.includes(booking.reference)
    for (const q of [booking.reference.toLowerCase(), "zoe kowal", "zoe@example", "071942"]) {
      assert.isTrue(await isListed(`q=${encodeURIComponent(q)}`), q)
    }
    assert.isFalse(await isListed("q=nobody"))
    assert.isTrue(await isListed(`offering=${tripId}&status=confirmed`))
    assert.isFalse(await isListed(`offering=${raftId}`))
    assert.isFalse(await isListed("status=cancelled"))
    const date = "2027-05-01"
    assert.isTrue(await isListed(`from=${date}&to=${date}`))
    assert.isFalse(await isListed("from=2027-05-02"))
    assert.isTrue(await isListed("from=yesterday&offering=x&status=lost&order=upwards"))
  })

  it("download all matching bookings as CSV", async () => {
    const { id } = await site.call("offerings.create", { ...trip, capacity: 60 })
    const { reference } = await site.book(id, { customer: { email: "csv@example.org", name: "=1+1" } })
    for (let nth = 0; nth < 50; nth++) await site.book(id, { customer: { email: "csv@example.org" } })
    const { headers, html } = await ask("/dashboard/bookings.csv?q=csv@example.org&status=confirmed&cursor=x")
    assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
    assert.include(headers.get("content-disposition") ?? "", "bookings.csv")
    const [head = "", ...rows] = html.trimEnd().split("\r\n")
    assert.include(head, "Reference,Guest,Email,Phone,Status,Starts,Activity,Party,Price,Currency,Payment,Notes")
    assert.lengthOf(rows, 51)
    assert.include(rows.join("\n"), `${reference},'=1+1,csv@example.org,,Confirmed,`)
    assert.include((await ask("/dashboard/bookings?q=csv@example.org&status=held")).html, "No bookings match.")
    const page = await ask("/dashboard/bookings?q=csv@example.org")
    assert.include(page.html, `href="/dashboard/bookings.csv?q=csv%40example.org"`)
  })

  it("download the bookings' price details as CSV", async () => {
    const before = (await site.call("org.get", {}))["fees"]
    await site.call("org.update", {
      fees: [
        { id: "park", name: "Park fee", cents: 500, per: "place" },
        { id: "tax", name: "Sales tax", percent_bps: 825, per: "order_value", tax: true },
        { id: "vat", name: "VAT", percent_bps: 1900, per: "order_value", tax: true, included: true }
      ]
    })
    const pricing = {
      rates: [
        { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
        { id: "child", name: "Child", price_cents: 7500, places: 1 }
      ],
      extras: [{ id: "wetsuit", name: "Wetsuit", price_cents: 1500, per: "place" }]
    }
    const { id } = await site.call("offerings.create", { ...trip, pricing })
    await site.book(id, {
      party: [{ rate_id: "adult", quantity: 2 }, { rate_id: "child", quantity: 1 }],
      extras: [{ extra_id: "wetsuit", quantity: 2 }],
      adjustments: [{ name: "Goodwill", cents: -1050 }],
      customer: { email: "lines@example.org" }
    })
    await site.call("org.update", { fees: before })
    const { html } = await ask("/dashboard/bookings.csv?q=lines@example.org")
    const [head = "", row = ""] = html.trimEnd().split("\r\n")
    assert.match(head, /,Rates,Extras,Fees,Taxes,Discount,Adjustments$/)
    // The tax is 24.34. The included VAT is 295 × 19 ÷ 119 = 47.10.
    assert.match(
      row,
      /,2 × Adult; 1 × Child,2 × Wetsuit,Park fee 15; Sales tax 24.34; VAT 47.10 \(included\),71.44,0,-10.5$/
    )
  })

  it("resend a confirmation at most once a day", async () => {
    const { id } = await site.book(tripId)
    const path = `/dashboard/bookings/${id}`
    const resend = async () => (await ask(`${path}/resend`, {})).headers.get("location")
    assert.strictEqual(await resend(), `${path}?done=resent`)
    assert.strictEqual(await resend(), `${path}?done=sentToday`)
    assert.include((await ask(`${path}?done=sentToday`)).html, "in the last 24 hours")
    const hold = await site.book(tripId, { hold_minutes: 60 })
    const rejection = await ask(`/dashboard/bookings/${hold.id}/resend`, {})
    assert.strictEqual(rejection.status, 409)
    assert.include(rejection.html, "Action failed")
  })

  it("mark a booking with a refused refund", async () => {
    await site.connect()
    const booking = await site.book(tripId)
    await site.pay(booking)
    await site.call("bookings.cancel", { id: booking.id })
    await site.refuseRefund(booking)
    assert.include((await ask("/dashboard/bookings?status=cancelled")).html, "Refund refused</span>")
    const { html } = await ask(`/dashboard/bookings/${booking.id}`)
    assert.include(html, "Refund refused</span>")
    assert.include(html, "The payment provider refused the refund of $95. It will be retried automatically.")
  })

  it("mark a disputed payment, and do not refund it", async () => {
    await site.connect()
    const booking = await site.book(tripId)
    await site.pay(booking)
    await site.dispute(booking)
    const path = `/dashboard/bookings/${booking.id}`
    const { html } = await ask(path)
    assert.include(html, "Disputed</span>")
    assert.include(html, "Canceling this booking does not refund the payment.")
    for (const other of [`/dashboard/guests/${booking.customer_id}`, `/dashboard/departures/${booking.id}/manifest`]) {
      assert.include((await ask(other)).html, "Disputed</span>", other)
    }
    assert.include((await ask(`${path}/cancel`)).html, "is disputed, so it is not refunded")
    assert.strictEqual((await ask(`${path}/cancel`, {})).status, 303)
    assert.deepInclude(await site.booking(booking.id), { status: "cancelled", refund: null })
  })

  it("show the refund and the recipient before a cancellation", async () => {
    await site.connect()
    const booking = await site.book(tripId)
    await site.pay(booking)
    const path = `/dashboard/bookings/${booking.id}`
    const { html } = await ask(`${path}/cancel`)
    assert.include(html, "The online payment of $95 will be refunded in full.")
    assert.include(html, "ada@example.com")
    assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
    assert.strictEqual((await ask(`${path}/cancel`, {})).status, 303)
    assert.strictEqual((await site.booking(booking.id)).status, "cancelled")
    assert.strictEqual((await ask(`${path}/cancel`, {})).status, 303)
    assert.include((await ask(`${path}/cancel`)).html, "This booking is already canceled.")
    assert.include((await ask(`${path}/move`)).html, "This booking is canceled")
    assert.include((await ask(path)).html, "$95 is being refunded")
  })

  it("restore a booking within a day of its cancellation", async () => {
    const booking = await site.book(tripId)
    await site.pay(booking)
    await site.call("bookings.cancel", { id: booking.id })
    const path = `/dashboard/bookings/${booking.id}`
    assert.include((await ask(path)).html, `href="${path}/restore"`)
    const { html } = await ask(`${path}/restore`)
    for (const text of ["if there is still room for", "$95 is due", "ada@example.com"]) assert.include(html, text)
    assert.strictEqual((await ask(`${path}/restore`, {})).status, 303)
    assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
    assert.include((await ask(`${path}/restore`)).html, "This booking is not canceled.")
    await site.call("bookings.cancel", { id: booking.id })
    site.set("2027-05-02T14:00:01Z")
    assert.notInclude((await ask(path)).html, `href="${path}/restore"`)
    assert.include((await ask(`${path}/restore`)).html, "within 24 hours of its cancellation")
    assert.include((await ask(`${path}/restore`, {})).html, "canceled more than 24 hours ago")
    site.set("2027-05-01T14:00:00Z")
  })

  it("show the old and new times before a move", async () => {
    const booking = await site.book(tripId, {}, 0)
    const path = `/dashboard/bookings/${booking.id}/move`
    const { html } = await ask(`${path}?date=2027-05-03`)
    const to = /name="to" value="([^"]+)"/.exec(html)?.[1] ?? ""
    const check = await ask(`${path}?date=2027-05-03&to=${encodeURIComponent(to)}`)
    assert.include(check.html, "What happens next")
    assert.include(check.html, "Nothing is charged or refunded.")
    assert.strictEqual((await site.booking(booking.id)).starts_at, booking.starts_at)
    assert.strictEqual((await ask(path, { to })).status, 303)
    assert.strictEqual((await site.booking(booking.id)).starts_at, to)
    assert.include((await ask(`/dashboard/bookings/${booking.id}`)).html, "Moved from")
    const rejection = await ask(path, { to: "2027-05-03T08:01:00.000Z", date: "2027-05-03" })
    assert.strictEqual(rejection.status, 409)
    assert.include(rejection.html, "note wrong")
    assert.strictEqual((await ask(path, {})).status, 422)
  })

  it("return the not-found page for an unknown booking", async () => {
    const hostile = `<img src=x onerror="alert(1)">`
    const { id } = await site.book(tripId, { customer: { email: "x@example.com", name: hostile }, notes: hostile })
    const before = await site.tables()
    for (const page of ["", "/confirm", "/cancel", "/move"]) {
      const unknownPath = `/dashboard/bookings/0199aaaa-0000-7000-8000-0000000000ff${page}`
      assert.strictEqual((await ask(unknownPath)).status, 404, page)
      const ownPage = await ask(`/dashboard/bookings/${id}${page}`)
      assert.strictEqual(ownPage.status, 200, page)
      assert.notInclude(ownPage.html, "<img", page)
    }
    assert.notInclude((await ask("/dashboard/bookings")).html, "<img")
    assert.strictEqual(await site.tables(), before)
  })
})
