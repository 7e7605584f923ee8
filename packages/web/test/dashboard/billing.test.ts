import * as Instant from "@trailbook/core/time/Instant"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as TestProvider from "../../../../test/payments/TestProvider.ts"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

describe("billing, payment, and data pages", () => {
  let site: TestSite
  let cookie: string
  beforeAll(async () => {
    site = await open()
    cookie = await site.signIn()
  })
  afterAll(() => site.close())

  const ask = (path: string, form?: Record<string, string>) =>
    site.ask(`/dashboard${path}`, { headers: { cookie }, ...(form && { form }) })

  it("show the usage, and hide the owners' controls from staff", async () => {
    const { id } = await site.call("offerings.create", trip)
    await site.book(id)
    const { html } = await ask("/billing")
    assert.match(html, /<b class="num">1<\/b> confirmed booking in May 2027/)
    assert.include(html, `href="/dashboard/export"`)
    const guide = await site.ask("/dashboard/billing", { headers: { cookie: await site.signIn("staff") } })
    assert.strictEqual(guide.status, 200)
    assert.notInclude(guide.html, `href="/dashboard/export"`)
  })

  it("export all data only for owners", async () => {
    assert.include((await ask("/export")).html, "Contents")
    const { headers, html, status } = await ask("/export", {})
    assert.strictEqual(status, 200)
    assert.include(headers.get("content-disposition") ?? "", `attachment; filename="salida-river-co-2027-05-01.json"`)
    assert.strictEqual(headers.get("content-type"), "application/json")
    const whole: unknown = JSON.parse(html)
    assert.deepStrictEqual(whole, await site.call("org.export", {}))
    const guide = await site.signIn("staff")
    const rejection = await site.ask("/dashboard/export", { form: {}, headers: { cookie: guide } })
    assert.strictEqual(rejection.status, 403)
    const foreign = { cookie, "sec-fetch-site": "cross-site" }
    assert.strictEqual((await site.ask("/dashboard/export", { form: {}, headers: foreign })).status, 403)
  })

  it("refuse a second export while the first is running", async () => {
    for (let n = 0; n < 300; n++) {
      await site.call("offerings.create", { ...trip, name: `Trip ${n}`, description: "x".repeat(1900) })
    }
    const send = () =>
      site.handler(
        new Request(`${site.url}/dashboard/export`, {
          method: "POST",
          headers: { cookie, "content-type": "application/x-www-form-urlencoded" }
        })
      )
    const first = await send()
    const second = await ask("/export", {})
    assert.strictEqual(second.status, 429)
    assert.include(second.html, "An export for this outfitter is already running.")
    const whole: unknown = await first.json()
    assert.isObject(whole)
    assert.strictEqual((await ask("/export", {})).status, 200)
  })

  it("connect a payment account without showing the key", async () => {
    assert.include(
      (await ask("/payments")).html,
      "Bookings are confirmed without payment. Connect your payment account so that guests pay when they book."
    )
    assert.strictEqual((await ask("/payments/disconnect")).status, 404)
    const wrong = await ask("/payments/connect", { key: "sk_live_nobody", account: "acct_1" })
    assert.strictEqual(wrong.status, 422)
    assert.include(wrong.html, "Secret key:")
    assert.include(wrong.html, `value="acct_1"`)
    assert.notInclude(wrong.html, "sk_live_nobody")
    const { key } = TestProvider.access
    assert.strictEqual(
      (await ask("/payments/connect", { key })).headers.get("location"),
      "/dashboard/payments?done=paid"
    )
    const { html } = await ask("/payments")
    assert.notInclude(html, key)
    assert.include(html, "Disconnect")
    const before = await site.tables()
    const page = await ask("/payments/disconnect")
    assert.include(
      page.html,
      "Guests who are already at checkout can still pay until their hold expires. Their bookings are then confirmed within 10 minutes."
    )
    assert.strictEqual(await site.tables(), before)
    for (let n = 0; n < 2; n++) assert.strictEqual((await ask("/payments/disconnect", {})).status, 303)
    assert.include((await ask("/payments")).html, "Previous accounts")
  })

  it("show failed work with the reason, and retry it", async () => {
    assert.include((await ask("/tasks")).html, "No failed jobs.")
    const { id: booking } = await site.book((await site.call("offerings.create", trip)).id, {}, 2)
    await site.giveUp("mail.confirmed", booking, "No such <b>mailbox</b>")
    const task = await site.giveUp("refund", booking, "Balance too low")
    const { html } = await ask("/tasks")
    assert.include(html, "No such &lt;b>mailbox&lt;/b>")
    assert.include(html, "Ada Lovelace")
    assert.include(html, `href="/dashboard/bookings/${booking}"`)
    const payments = (await ask("/payments")).html
    assert.include(payments, "Balance too low")
    assert.notInclude(payments, "mailbox")
    assert.strictEqual((await ask(`/tasks/${task}/retry`, {})).headers.get("location"), "/dashboard/tasks?done=retried")
    assert.notInclude((await ask("/tasks")).html, "Balance too low")
    // Retrying a task that is already done succeeds.
    assert.strictEqual((await ask(`/tasks/${booking}/retry`, {})).status, 303)
  })

  it("list guests who did not receive a cancellation email", async () => {
    const { id: classId } = await site.call("offerings.create", { ...trip, kind: "class", capacity: 10 })
    const { data: [session] } = await site.call("sessions.create", {
      offering_id: classId,
      starts_at: "2027-06-12T15:30:00Z"
    }) as unknown as { readonly data: ReadonlyArray<{ readonly id: string }> }
    const session_id = session?.id ?? ""
    const { id: booking } = await site.call("bookings.create", {
      offering_id: classId,
      session_id,
      quantity: 2,
      customer: { email: "zoe@example.com", name: "Zoe Long", phone: "+1 719 555 0100" }
    })
    await site.call("sessions.cancel", { id: session_id })
    assert.notInclude((await ask("/tasks")).html, "could not be reached")
    const { id: message } = await site.call("messages.send", { booking_id: booking, body: "The trip is canceled." })
    await site.tell(message, { failedAt: Instant.parse("2027-05-01T16:01:00Z") ?? null, failure: "550 no such user" })
    const { html } = await ask("/tasks")
    assert.include(html, "The guest on 1 booking could not be reached.")
    assert.include(html, "zoe@example.com: 550 no such user")
    assert.include(html, "tel:+17195550100")
    assert.notInclude(html, "Everything is done")
  })

  it("list a stopped webhook under failed work", async () => {
    await site.call("webhooks.create", { url: "https://hooks.example.com/in" })
    await site.call("org.update", { reply_window: "soon" })
    await site.stop()
    assert.include((await ask("/tasks")).html, "The host name was not found. Check the spelling and the DNS record.")
  })
})
