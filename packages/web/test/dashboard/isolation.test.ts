/** Requests every dashboard page with the IDs of another outfitter's data. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

const start = Date.parse("2027-05-01T14:01:00Z")
const unknown = "0199aaaa-0000-7000-8000-0000000000ff"
/** A marker that appears in every name and text of the other outfitter. Comparisons ignore case. */
const secret = "Nordfjord"

describe("every dashboard page with an ID", () => {
  let site: TestSite
  let cookie: string
  beforeAll(async () => {
    site = await open()
    cookie = await site.signIn()
  })
  afterAll(() => site.close())

  const addForeignRows = async (): Promise<ReadonlyArray<string>> => {
    const { elsewhere } = site
    const offering = await elsewhere("offerings.create", { ...trip, name: `Kayak ${secret}`, kind: "class" })
    const { data: [session] } = await elsewhere("sessions.create", {
      offering_id: offering.id,
      starts_at: "2027-05-10T15:00:00Z"
    }) as unknown as { readonly data: ReadonlyArray<Record<string, unknown>> }
    assert.isDefined(session)
    const booking = await elsewhere("bookings.create", {
      offering_id: offering.id,
      session_id: session["id"],
      customer: { email: "eve@example.com", name: `Eve ${secret}` }
    })
    const message = await elsewhere("messages.send", { booking_id: booking.id, body: secret })
    const discount = await elsewhere("discounts.create", { code: "NORDFJORD", percent_bps: 1000 })
    const webhook = await elsewhere("webhooks.create", { url: `https://${secret}.example.com/` })
    const reply = await elsewhere("saved_replies.create", { title: secret, body: secret })
    const closure = await elsewhere("closures.create", {
      from_date: "2027-06-01",
      to_date: "2027-06-02",
      reason: secret
    })
    return [offering, session, booking, message, discount, webhook, reply, closure].flatMap((row) =>
      ["id", "customer_id", "conversation_id"].map((field) => row[field])
        .filter((id) => typeof id === "string")
    )
  }

  const events = () => site.elsewhere("events.list", { after: 0, limit: 500 })

  it("treats another outfitter's ID like an unknown ID", async () => {
    const ids = await addForeignRows()
    // The feed serves an event two seconds after it happens.
    site.set(new Date(start).toISOString())
    const before = await events()
    const routes = site.routes.filter(({ path }) => path.startsWith("/dashboard/") && path.includes(":"))
    assert.isAbove(routes.length, 50)
    for (const [at, { method, path }] of routes.entries()) {
      // Advance the clock by a minute per path, so that no request exceeds the rate limit.
      site.set(new Date(start + at * 60_000).toISOString())
      const request = (id: string) =>
        site.ask(path.replaceAll(/:\w+/g, id), { headers: { cookie }, ...(method === "GET" ? {} : { form: {} }) })
      const expected = await request(unknown)
      assert.notStrictEqual(expected.status, 429)
      for (const id of ids) {
        const { html, status } = await request(id)
        assert.strictEqual(status, expected.status, `${method} ${path} ${id}`)
        assert.notInclude(html.toLowerCase(), secret.toLowerCase(), `${method} ${path} ${id}`)
      }
    }
    assert.deepStrictEqual(await events(), before)
  })
})
