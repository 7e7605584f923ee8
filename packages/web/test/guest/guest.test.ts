/** Tests a booking's page: its content for each viewer, the changes that it allows, and the attacks that it blocks. */
import type { BookingView } from "@trailbook/core/booking"
import * as FastCheck from "effect/FastCheck"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { open, png, type TestSite, trip } from "./TestSite.ts"

const pdf = (bytes: number): Uint8Array<ArrayBuffer> => {
  const file = new Uint8Array(bytes).fill(32)
  file.set(new TextEncoder().encode("%PDF-1.4\n%%EOF\n"))
  return file
}

const page = ({ handle }: BookingView, path = "") => `/b/${handle}${path}`

describe("a guest's page", () => {
  let site: TestSite
  let tripId: string
  beforeAll(async () => {
    site = await open()
    await site.call("org.update", { guest_changes_hours: 48, reply_window: "within two hours" })
    tripId = (await site.call("offerings.create", trip)).id
  })
  afterAll(() => site.close())

  const book = (fields: object = {}, nth = 12) => site.book(tripId, fields, nth)
  const html = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await site.ask(path, { headers })).html

  it("shows the booking, and is never cached or sent as a referrer", async () => {
    const booking = await book({ notes: "Left-handed" })
    const { headers, html, status } = await site.ask(page(booking))
    assert.strictEqual(status, 200)
    for (
      const expected of [
        trip.name,
        "Friday, May 7, 2027",
        "9:00 AM – 1:00 PM MDT",
        booking.reference,
        "Ada Lovelace",
        "Left-handed"
      ]
    ) assert.include(html, expected)
    assert.include(html, "https://www.openstreetmap.org/?mlat=38.5347&amp;mlon=-106.0017")
    assert.strictEqual(html.match(/<h1/g)?.length, 1)
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
    assert.include(html, `<meta name="robots" content="noindex"`)
    assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
    assert.strictEqual(headers.get("x-frame-options"), "DENY")
  })

  it("returns the same 404 response for every invalid handle", async () => {
    const booking = await book()
    const wrong = ["x", booking.id, booking.reference, `${booking.handle}x`, booking.handle.slice(1), "..%2f", "%00"]
    const pages = await Promise.all(wrong.map((handle) => site.ask(`/b/${handle}`)))
    for (const { html, status } of pages) {
      assert.strictEqual(status, 404)
      assert.strictEqual(html, pages[0]?.html)
    }
    for (const path of ["/move", "/cancel", "/pay", "/paid", "/calendar.ics", `/files/${booking.id}`]) {
      assert.strictEqual((await site.ask(`/b/unknown-handle${path}`)).status, 404)
    }
  })

  it("limits each address to 30 invalid handles a minute", async () => {
    const booking = await book()
    const address = "203.0.113.9"
    const guess = () => site.ask("/b/unknown-handle", { address })
    const statuses = (await Promise.all(Array.from({ length: 31 }, guess))).map(({ status }) => status)
    assert.deepStrictEqual([statuses.filter((status) => status === 404).length, statuses.at(-1)], [30, 429])
    assert.strictEqual((await site.ask(page(booking), { address })).status, 200)
  })

  it("changes nothing when a mail scanner opens its links", async () => {
    const booking = await book()
    await site.call("messages.send", { booking_id: booking.id, body: "Hello" })
    const link = await site.link(booking)
    const before = await site.tables()
    const visitedPaths = new Set<string>()
    const visit = async (path: string): Promise<void> => {
      // The calendar's date links never end, so limit the number of pages.
      if (visitedPaths.has(path) || visitedPaths.size === 60 || !path.startsWith("/b/")) return
      visitedPaths.add(path)
      const { html } = await site.ask(path)
      for (const [, to = ""] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) await visit(to.replaceAll("&amp;", "&"))
    }
    await visit(page(booking))
    await visit(page(booking, `/messages/${link}`))
    await visit(page(booking, "/paid"))
    assert.isAbove(visitedPaths.size, 6)
    assert.strictEqual(await site.tables(), before)
    const response = await site.ask(page(booking, `/messages/${link}`), { form: {} })
    assert.strictEqual(response.status, 303)
  })

  it("previews a move before making it", async () => {
    const booking = await book()
    const choice = await html(page(booking, "/move"))
    const times = [...choice.matchAll(/name="to" value="([^"]+)"/g)].map(([, value]) => value ?? "")
    assert.notInclude(times, booking.starts_at)
    const [to = ""] = times
    const check = await html(page(booking, `/move?to=${encodeURIComponent(to)}&from=2027-05-07`))
    assert.include(check, "Friday, May 7, 2027, 1:00 PM – 5:00 PM MDT")
    assert.include(check, "Your price, payment, and reference stay the same.")
    const form = { to, from: "2027-05-07" }
    const response = await site.ask(page(booking, "/move"), { form })
    assert.deepStrictEqual([response.status, response.headers.get("location")], [303, page(booking, "?done=changed")])
    assert.strictEqual((await site.booking(booking.id)).starts_at, to)
    const lost = await site.ask(page(booking, "/move"), { form: { ...form, to: "2027-05-07T03:00:00.000Z" } })
    assert.strictEqual(lost.status, 409)
    assert.include(lost.html, "That time is no longer available.")
  })

  it("cancels a booking, and refunds the amount shown", async () => {
    const booking = await book()
    await site.pay(booking)
    assert.include(await html(page(booking, "/cancel")), "Your payment of $95 will be refunded")
    assert.strictEqual((await site.ask(page(booking, "/cancel"), { form: {} })).status, 303)
    assert.deepInclude(await site.booking(booking.id), { status: "cancelled" })
    assert.strictEqual((await site.booking(booking.id)).refund?.cents, 9500)
    const after = await html(page(booking))
    assert.include(after, "This booking is canceled.")
    assert.include(after, "Your refund of $95 is being processed.")
    assert.notInclude(after, page(booking, "/cancel"))
    assert.strictEqual((await site.ask(page(booking, "/cancel"), { form: {} })).status, 303)
    const closedPage = await site.ask(page(booking, "/move"))
    assert.strictEqual(closedPage.status, 409)
    // The deadline has not passed, so the page does not mention it.
    assert.include(closedPage.html, "cannot be changed online in its current state")
    assert.notInclude(closedPage.html, "The deadline for changes was")
    assert.include(after, `href="/book/salida-river-co"`)
  })

  it("explains why a booking cannot be changed, and leaves it unchanged", async () => {
    const booking = await book({}, 1)
    for (const path of ["/move", "/cancel"]) {
      const { html, status } = await site.ask(page(booking, path))
      assert.strictEqual(status, 409)
      assert.include(html, "The deadline for changes was")
      assert.include(html, `href="${page(booking)}#messages"`)
      assert.strictEqual((await site.ask(page(booking, path), { form: { to: booking.starts_at } })).status, 409)
    }
    assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
  })

  it("stores a photo message only once if its form is resubmitted", async () => {
    const booking = await book()
    const form = new FormData()
    form.set("key", "0199aaaa-0000-7000-8000-000000000001")
    form.set("body", "Which ford?\nThis one?")
    form.append("files", new Blob([png], { type: "image/png" }), "ford <1>.png")
    form.append("files", new Blob([]), "")
    const response = await site.ask(page(booking, "/messages"), { form })
    assert.deepStrictEqual([response.status, response.headers.get("location")], [
      303,
      page(booking, "?done=sent#messages")
    ])
    const pageHtml = await html(page(booking))
    assert.include(pageHtml, "Which ford?\nThis one?")
    assert.include(pageHtml, "Photo: ford &lt;1>.png")
    const [, file = ""] = /src="([^"]+\/files\/[^"]+)"/.exec(pageHtml) ?? []
    const { headers, status } = await site.ask(file)
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/png"])
    assert.include(headers.get("content-security-policy") ?? "", "sandbox")
    const other = await book({ customer: { email: "bob@example.com" } })
    assert.strictEqual((await site.ask(file.replace(booking.handle, other.handle))).status, 404)
    // Sending the form again does not create a second message.
    form.delete("files")
    await site.ask(page(booking, "/messages"), { form })
    assert.strictEqual((await html(page(booking))).match(/Which ford/g)?.length, 1)
  })

  it("explains why a message cannot be sent, and preserves the input", async () => {
    const booking = await book()
    const sendMessage = async (body: string, ...files: ReadonlyArray<Uint8Array<ArrayBuffer>>) => {
      const form = new FormData()
      form.set("body", body)
      for (const bytes of files) form.append("files", new Blob([bytes]), "x.gif")
      return site.ask(page(booking, "/messages"), { form })
    }
    const wrong = [
      [await sendMessage(" "), "Enter a message."],
      [await sendMessage("é".repeat(5001)), "Shorten your message to 5,000 characters or fewer."],
      [await sendMessage("typed <b>", new Uint8Array([71, 73, 70])), "Unsupported file type"],
      [await sendMessage("typed <b>", ...Array.from({ length: 6 }, () => new Uint8Array(png))), "at most 5 files"],
      [await sendMessage("typed <b>", pdf(10 * 1024 * 1024 + 1)), "larger than 10 MB"]
    ] as const
    for (const [{ html, status }, expected] of wrong) {
      assert.strictEqual(status, expected === "larger than 10 MB" ? 413 : 422)
      assert.include(html, expected)
    }
    assert.include(wrong[2][0].html, ">typed &lt;b></textarea>")
    assert.strictEqual((await sendMessage("x", new Uint8Array(51 * 1024 * 1024))).status, 413)
    assert.include(await html(page(booking)), "No messages yet.")
    assert.strictEqual((await sendMessage("Two maps", pdf(10 * 1024 * 1024), pdf(6_000_000))).status, 303)
  })

  it("shows the full thread only to the browser that opened the link", async () => {
    const booking = await book({ customer: { email: "eve@example.com", name: "Eve" } })
    const other = await book({ customer: { email: "eve@example.com", name: "Eve" } })
    await site.call("messages.send", { booking_id: other.id, body: "secret of the other" })
    assert.notInclude(await html(page(booking)), "secret of the other")
    const link = page(booking, `/messages/${await site.link(booking)}`)
    assert.include(await html(link), "Show messages")
    const { headers, status } = await site.ask(link, { form: {} })
    assert.strictEqual(status, 303)
    const cookie = headers.get("set-cookie") ?? ""
    assert.match(cookie, new RegExp(`; Path=${page(booking)}; Max-Age=3600; HttpOnly; SameSite=Lax$`))
    const cookieHeader = { cookie: cookie.split(";")[0] ?? "" }
    assert.include(await html(page(booking), cookieHeader), "secret of the other")
    assert.notInclude(await html(page(booking)), "secret of the other")
    assert.strictEqual((await site.ask(link, { form: {} })).status, 410)
    const stranger = await book({ customer: { email: "mallory@example.com" } })
    assert.notInclude(await html(page(stranger), cookieHeader), "secret of the other")
  })

  it("shows the actual payment status, even if the URL claims a payment", async () => {
    await site.connect()
    const booking = await book()
    assert.strictEqual(booking.status, "held")
    const pageHtml = await html(page(booking))
    assert.include(pageHtml, "Pay to confirm your booking.")
    assert.include(pageHtml, `data-left="${30 * 60_000}"`)
    assert.include(await html(page(booking, "/pay")), `href="${booking.checkout_url}"`)
    // The return page offers no second payment, because the first payment may still be pending. The query in its URL
    // does not prove a payment.
    assert.include(pageHtml, `href="${page(booking, "/paid")}"`)
    assert.notInclude(await html(page(booking, "/paid")), page(booking, "/pay"))
    assert.include(await html(page(booking, "/paid?paid=1&status=success")), "Waiting for your payment")
    // Without a script, the page reloads itself for 2 minutes.
    assert.match(
      await html(page(booking, "/paid")),
      /<noscript><meta http-equiv="refresh" content="3; url=\/b\/[^"]+\/paid\?n=1"/
    )
    assert.notInclude(await html(page(booking, "/paid?n=40")), "refresh")
    await site.pay(booking)
    const { headers, status } = await site.ask(page(booking, "/paid"))
    assert.deepStrictEqual([status, headers.get("location")], [303, page(booking, "?done=paidNow")])
    assert.include(await html(page(booking)), "Paid online on Saturday, May 1, 2027")
    assert.include(await html(page(booking, "/pay")), "No payment is due for this booking.")
  })

  it("does not expose why the payment provider refused the checkout", async () => {
    const there = await open()
    const { id } = await there.call("offerings.create", trip)
    await there.connect()
    await there.refusePayments(true)
    const message = "The payment provider refused the checkout: The payment account is closed. Your spot is held. "
    let refusal = ""
    await there.book(id).catch((error) => refusal = String(error))
    assert.include(refusal, `${message}Fix the problem, then retry with the same idempotency_key.`)
    const { data: [booking] } = await there.call("bookings.list", {}) as unknown as {
      readonly data: ReadonlyArray<{ readonly handle: string }>
    }
    const { html, status } = await there.ask(`/b/${booking?.handle}/pay`)
    assert.strictEqual(status, 503)
    assert.notInclude(html, "did not respond")
    assert.notInclude(html, "account is closed")
    await there.close()
  })

  it("explains expired holds and data deletion, and requests a review after trips", async () => {
    const there = await open()
    const { id } = await there.call("offerings.create", trip)
    const hold = await there.book(id, { hold_minutes: 30 })
    const past = await there.book(id, {}, 1)
    await there.call("org.update", { review_url: "https://example.com/review" })
    there.set("2027-05-03T23:00:00Z")
    assert.include((await there.ask(page(hold))).html, "Your hold has expired.")
    const over = (await there.ask(page(past))).html
    assert.include(over, "We hope you had a great time.")
    assert.include(over, "https://example.com/review")
    await there.call("customers.delete", { id: past.customer_id })
    const { html } = await there.ask(page(past))
    assert.include(html, "Your data was deleted.")
    assert.notInclude(html, "Ada")
    assert.notInclude(html, "<textarea")
    await there.close()
  })

  it("serves a calendar file at its own URL", async () => {
    const booking = await book()
    const { headers, html: ics } = await site.ask(page(booking, "/calendar.ics"))
    assert.match(headers.get("content-type") ?? "", /^text\/calendar/)
    assert.include(ics, `UID:${booking.id}`)
    assert.include(ics.replaceAll("\r\n ", ""), `URL:${site.url}${page(booking)}`)
  })

  it("accepts forms only from the same site", async () => {
    const booking = await book()
    const post = (headers: Readonly<Record<string, string>>) =>
      site.ask(page(booking, "/cancel"), { form: {}, headers })
    const elsewhere: ReadonlyArray<Readonly<Record<string, string>>> = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" }
    ]
    for (const headers of elsewhere) {
      assert.strictEqual((await post(headers)).status, 403)
      assert.notStrictEqual((await site.booking(booking.id)).status, "cancelled")
    }
    const json = await site.handler(
      new Request(site.url + page(booking, "/cancel"), {
        method: "POST",
        body: "{}",
        headers: { "content-type": "text/plain" }
      })
    )
    assert.strictEqual(json.status, 415)
    assert.strictEqual((await post({ "sec-fetch-site": "same-origin" })).status, 303)
    assert.strictEqual((await site.booking(booking.id)).status, "cancelled")
  })

  it("never redirects to another site", async () => {
    const booking = await book()
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example" }
    const query = "?lang=//evil.example&next=https://evil.example&accent=evil&embed=//evil.example"
    const { html } = await site.ask(page(booking, query), { headers })
    for (const [, to = ""] of html.matchAll(/ (?:href|src|action)="([^"]+)"/g)) {
      assert.match(to.replaceAll("&amp;", "&"), /^(?:\/(?!\/)|\?|#|https:\/\/www\.openstreetmap\.org\/|data:)/, to)
    }
    const { headers: responseHeaders } = await site.ask(page(booking, `/cancel${query}`), { form: {}, headers: {} })
    assert.match(responseHeaders.get("location") ?? "", /^\/b\//)
  })

  it("escapes all text", async () => {
    const there = await open()
    const { id } = await there.call("offerings.create", trip)
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(
          FastCheck.oneof(
            FastCheck.constantFrom(
              "<script>alert(1)</script>",
              `"><img src=x onerror=1>`,
              "</textarea>",
              "'",
              "&lt;",
              "javascript:"
            ),
            FastCheck.string({ unit: "binary" }).map((text) => text.toWellFormed().replaceAll("\0", ""))
          ),
          { minLength: 1, maxLength: 3 }
        ).map((parts) => parts.join(" ").trim().slice(0, 60).toWellFormed()).filter((text) => text !== ""),
        async (text) => {
          await there.call("offerings.update", { id, name: text, description: text, location: text })
          await there.call("org.update", { name: text, away_notice: text, reply_window: text })
          const customer = { email: "ada@example.com", name: text, phone: text.slice(0, 20) }
          const booking = await there.book(id, { customer, notes: text }, 3).catch(() => undefined)
          if (booking === undefined) return
          await there.call("messages.send", { booking_id: booking.id, body: text, subject: text })
          for (const path of ["", "/move", "/cancel"]) {
            const { html } = await there.ask(page(booking, path))
            const outside = html.replace(/<style>[\s\S]*?<\/style>/g, "")
            assert.notMatch(
              outside,
              /<script(?! type="module" src="\/assets\/)|<img src=x|\son\w+=(?=[^>]*>)(?<=<[^>]*)/i
            )
            assert.strictEqual(outside.match(/<textarea/g)?.length ?? 0, outside.match(/<\/textarea>/g)?.length ?? 0)
          }
          await there.call("bookings.cancel", { id: booking.id })
        }
      ),
      { numRuns: runs(100, 15) }
    )
    await there.close()
  })

  it("works below a path prefix, and links only below it", async () => {
    const below = await open({ basePath: "/trips", publicUrl: "https://example.com/trips" })
    const { id } = await below.call("offerings.create", trip)
    const booking = await below.book(id)
    const { html } = await below.ask(`/trips${page(booking)}`)
    for (const [, to = ""] of html.matchAll(/ (?:href|src|action)="(\/[^"]*)"/g)) assert.match(to, /^\/trips\//)
    const { html: ics } = await below.ask(`/trips${page(booking, "/calendar.ics")}`)
    assert.include(ics.replaceAll("\r\n ", ""), `URL:https://example.com/trips${page(booking)}`)
    await below.close()
  })
})
