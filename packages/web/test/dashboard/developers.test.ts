import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite } from "../guest/TestSite.ts"

describe("the developers pages", () => {
  let site: TestSite
  let cookie: string
  beforeAll(async () => {
    site = await open()
    cookie = await site.signIn()
  })
  afterAll(() => site.close())

  const ask = (path: string, form?: Record<string, string>) =>
    site.ask(`/dashboard/developers${path}`, { headers: { cookie }, ...(form && { form }) })
  const idIn = (html: string, kind: "keys" | "webhooks") => new RegExp(`${kind}/([\\w-]{8,})`).exec(html)?.[1] ?? ""

  it("show the next steps if there are no keys or webhooks", async () => {
    const { html } = await ask("")
    assert.include(html, "No API keys. Create one key per application so that you can revoke each key separately.")
    assert.include(html, "No webhooks. Add one to send events to your application.")
    assert.include(html, `href="/reference"`)
  })

  it("show a new key only once", async () => {
    const response = await ask("/keys/new", { name: "<b>Web</b>site", scope_read: "on", expires: "30" })
    assert.strictEqual(response.status, 200)
    const key = /tb_live_\w{20,}/.exec(response.html)?.[0] ?? ""
    assert.notInclude(response.html, "<b>Web</b>")
    assert.notInclude(response.html, "data-live=\"/dashboard")
    const request = (path: string) => site.ask(path, { headers: { authorization: `Bearer ${key}`, accept: "*/*" } })
    assert.strictEqual((await request("/v1/offerings")).status, 200)
    assert.strictEqual((await request("/v1/org/export")).status, 403)

    const { html } = await ask("")
    assert.include(html, "&lt;b>Web&lt;/b>site")
    assert.include(html, `tb_live_…${key.slice(-4)}`)
    assert.notInclude(html, key)
    assert.include(html, "Expires Monday, May 31, 2027")

    const id = idIn(html, "keys")
    const before = await site.tables()
    const page = await ask(`/keys/${id}/revoke`)
    assert.include(page.html, "Requests with this key are rejected immediately.")
    assert.strictEqual(await site.tables(), before)
    const revocation = await ask(`/keys/${id}/revoke`, {})
    assert.strictEqual(revocation.status, 303)
    assert.strictEqual(revocation.headers.get("location"), "/dashboard/developers?done=revoked")
    assert.strictEqual((await request("/v1/offerings")).status, 401)
    assert.include((await ask("")).html, "Expired and revoked keys (1)")
  })

  it("show the key form's field errors and keep the input", async () => {
    const unnamed = await ask("/keys/new", { name: "", scope_admin: "on", expires: "90" })
    assert.strictEqual(unnamed.status, 422)
    assert.include(unnamed.html, `href="#name"`)
    assert.match(unnamed.html, /id="scope_admin"[^>]* checked/)
    assert.notMatch(unnamed.html, /id="scope_read"[^>]* checked/)
    assert.match(unnamed.html, /value="90" selected|selected value="90"/)
    const powerless = await ask("/keys/new", { name: "Nothing", expires: "" })
    assert.strictEqual(powerless.status, 422)
    assert.include(powerless.html, `href="#scopes"`)
    assert.include(powerless.html, `value="Nothing"`)
  })

  it("show a webhook's secret only once", async () => {
    const form = { url: "https://hooks.example.com/in", all: "on", key: crypto.randomUUID() }
    const response = await ask("/webhooks/new", form)
    const secret = /whsec_\w+/.exec(response.html)?.[0] ?? ""
    assert.include((await ask("/webhooks/new", form)).html, secret)
    const { html } = await ask("")
    assert.notInclude(html, secret)
    assert.strictEqual(html.split("hooks.example.com/in").length, 2)
    assert.include(html, "no deliveries yet")
  })

  it("reject an invalid webhook URL and keep the input", async () => {
    const { html, status } = await ask("/webhooks/new", { url: "ftp://x", "event_booking.held": "on" })
    assert.strictEqual(status, 422)
    assert.include(html, `value="ftp://x"`)
    assert.match(html, /id="event_booking.held"[^>]* checked/)
    const none = await ask("/webhooks/new", { url: "https://none.example.com/" })
    assert.strictEqual(none.status, 422)
    assert.include(none.html, `href="#events"`)
  })

  it("show deliveries and pending events, send tests, and redeliver events", async () => {
    const id = idIn((await ask("")).html, "webhooks")
    for (const reply_window of ["1", "2"]) await site.call("org.update", { reply_window })
    site.set("2027-05-01T15:00:00Z")
    await site.stop()
    const { html } = await ask(`/webhooks/${id}`)
    assert.include(html, "The host name was not found. Check the spelling and the DNS record.")
    assert.include(html, "Stopped on Sat, May 1 at 9:00")
    assert.include(html, `<span class="tag bad">name not found</span>`)
    assert.include(html, `<span class="tag">pending</span>`)

    const tested = await ask(`/webhooks/${id}/test`, {})
    assert.include(tested.html, "The response status was 200.")

    const replay = await ask(`/webhooks/${id}/replay?from=2`)
    assert.match(replay.html, /name="from"[^>]* value="2"|value="2"[^>]* name="from"/)
    const wrong = await ask(`/webhooks/${id}/replay`, { from: "99" })
    assert.strictEqual(wrong.status, 422)
    assert.include(wrong.html, `value="99"`)
    assert.strictEqual((await ask(`/webhooks/${id}/replay`, { from: "soon" })).status, 422)
    const replayed = await ask(`/webhooks/${id}/replay`, { from: "1" })
    assert.strictEqual(replayed.headers.get("location"), `/dashboard/developers/webhooks/${id}?done=replayed`)
    assert.notInclude((await ask(`/webhooks/${id}`)).html, "Failing at event")
  })

  it("delete a webhook after a warning", async () => {
    const id = idIn((await ask("")).html, "webhooks")
    assert.include((await ask(`/webhooks/${id}/delete`)).html, "2 pending events will not be sent")
    for (let n = 0; n < 2; n++) assert.strictEqual((await ask(`/webhooks/${id}/delete`, {})).status, 303)
    assert.strictEqual((await ask(`/webhooks/${id}`)).status, 404)
  })

  it("filter assistants' calls and download them as CSV", async () => {
    const calls = (query = "") => site.ask(`/dashboard/applications/calls${query}`, { headers: { cookie } })
    assert.include((await calls()).html, "No calls yet. Connect an assistant first.")
    await ask("/keys/new", { name: "=Desk bot", scope_read: "on", expires: "30" })
    const id = idIn((await ask("")).html, "keys")
    const { id: offering_id } = await site.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 9 })
    const booking = await site.book(offering_id)
    await site.noteCall(id, { operation: "bookings.cancel", outcome: "preview", bookingId: booking.id })
    await site.noteCall(id, { operation: "bookings.check_in", outcome: "not_yours", bookingId: null })
    const { html } = await calls()
    for (
      const text of ["=Desk bot", "Bookings: cancel", "Preview only", booking.reference, "Refused: not yours"]
    ) assert.include(html, text)
    assert.notInclude(html, booking.customer.email)
    assert.notInclude((await calls("?operation=bookings.check_in")).html, "Bookings: cancel")
    assert.include((await calls(`?application=${id}`)).html, "Bookings: cancel")
    assert.include((await calls("?from=2099-01-01")).html, "No calls match.")
    const csv = await site.ask("/dashboard/applications/calls.csv", { headers: { cookie } })
    assert.include(csv.html, "Time,Assistant,Credential,Credential ID,Operation,Result,Booking")
    assert.include(csv.html, `'=Desk bot,key,${id},bookings.cancel,preview,${booking.reference}`)
    const staff = await site.signIn("staff")
    assert.strictEqual((await site.ask("/dashboard/applications/calls", { headers: { cookie: staff } })).status, 403)
  })

  it("return the not-found page for another outfitter's resources", async () => {
    const hook = await site.elsewhere("webhooks.create", { url: "https://hooks.example.com/theirs" })
    for (const path of ["", "/replay", "/delete"]) {
      assert.strictEqual((await ask(`/webhooks/${hook.id}${path}`)).status, 404, path)
    }
    assert.strictEqual((await ask(`/webhooks/${hook.id}/test`, {})).status, 404)
    assert.strictEqual((await ask("/keys/4fYk0aZ91LsQ/revoke")).status, 404)
    assert.strictEqual((await ask("/keys/4fYk0aZ91LsQ/revoke", {})).status, 404)
  })
})
