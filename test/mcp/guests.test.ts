/** Tests the MCP endpoint for booking pages, over HTTP with the official client. */
import { readVersion } from "@trailbook/runtime/readVersion"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { randomUUID } from "node:crypto"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { type BookingPage, call, open, type Outfitter } from "./BookingPage.ts"

let page: BookingPage
let raft: string
let session: string
let kayak: string
let kayakSession: string

const departure = async ({ call }: Outfitter, name: string, fields: object = {}) => {
  const { id } = await call("offerings.create", { name, kind: "class", capacity: 8, price_cents: 9500, ...fields })
  const { data: [first] } = await call("sessions.create", { offering_id: id, starts_at: "2027-05-20T15:00:00Z" })
  return [id, first?.id ?? ""] as const
}

beforeEach(async () => {
  page = await open()
  ;[raft, session] = await departure(page.paid, "Browns Canyon", { description: "Class III rapids." })
  ;[kayak, kayakSession] = await departure(page.unpaid, "Fjord kayak")
})
afterEach(() => page.close())

const order = (fields: object = {}) => ({
  offering_id: raft,
  session_id: session,
  quantity: 2,
  expected_total_cents: 19_000,
  name: "Ada Lovelace",
  email: "ada@example.com",
  idempotency_key: randomUUID(),
  ...fields
})

const kayakOrder = (fields: object = {}) => order({ offering_id: kayak, session_id: kayakSession, ...fields })

const bookings = async ({ call }: Outfitter) => (await call("bookings.list", { limit: 500 })).data

describe("a guest assistant's tools", () => {
  it("number at most seven, and use at most 1,500 tokens", async () => {
    const client = await page.connect(page.paid.slug)
    const { tools } = await client.listTools()
    assert.deepStrictEqual(tools.map(({ name }) => name), [
      "trips_search",
      "trip_availability",
      "booking_quote",
      "booking_hold"
    ])
    assert.isAtMost(countTokens(JSON.stringify(tools)), 1500)
    assert.deepStrictEqual(tools.map(({ annotations }) => annotations?.readOnlyHint), [true, true, true, false])
    assert.include(client.getInstructions() ?? "", "only the guest confirms it")
    assert.deepStrictEqual((await client.listPrompts()).prompts, [])
    assert.deepStrictEqual((await client.listResources()).resources, [])
    await client.close()
  })

  it("lead from a search to a checkout", async () => {
    await page.paid.call("org.update", {
      cancellation_policy: { steps: [{ until_hours: 48, keep_bps: 0 }, { until_hours: 24, keep_bps: 5000 }] },
      fees: [{ id: "river", name: "River fee", cents: 500, per: "place" }]
    })
    const client = await page.connect(page.paid.slug)
    const response = await call(client, "trips_search", { q: "canyon rapids" })
    assert.include(response.text, "Browns Canyon")
    assert.include(response.text, "from_cents 10000")
    assert.include(response.text, "trip_availability")

    const open = await call(client, "trip_availability", { id: raft, date: "2027-05-20", quantity: 2 })
    assert.include(open.text, "total_cents 20000")
    assert.include(open.text, "Thu 2027-05-20 09:00")
    assert.include(open.text, session)
    assert.include(
      open.text,
      "Until 48 h before the start: free. Until 24 h before the start: 50% of the total is kept."
    )
    assert.include(open.text, "booking_quote")

    const quote = await call(client, "booking_quote", { offering_id: raft, session_id: session, quantity: 2 })
    assert.strictEqual(quote.data.due_now_cents, 20_000)
    assert.include(quote.text, "booking_hold with expected_total_cents 20000")

    const hold = await call(client, "booking_hold", order({ expected_total_cents: 20_000 }))
    assert.strictEqual(hold.data.status, "held")
    assert.match(String(hold.data.checkout_url), /^https:\/\/till\.example\//)
    assert.include(hold.text, "not yet confirmed")
    const [booking] = await bookings(page.paid)
    assert.deepStrictEqual([booking?.source, booking?.status, booking?.total_cents], ["mcp", "held", 20_000])
    await client.close()
  })

  it("return the same results to both official client versions", async () => {
    const first = await page.connect(page.paid.slug)
    const second = await page.connectV2(page.paid.slug)
    assert.strictEqual(second.getNegotiatedProtocolVersion(), "2026-07-28")
    const toolsOf = async (client: typeof first | typeof second) => (await client.listTools()).tools
    assert.deepEqual<ReadonlyArray<object>>(await toolsOf(second), await toolsOf(first))
    assert.strictEqual(second.getInstructions(), first.getInstructions())
    const request = order()
    for (
      const [tool, input] of [
        ["trips_search", { q: "canyon" }],
        ["trip_availability", { id: raft, date: "2027-05-20" }],
        ["trip_availability", { id: randomUUID() }],
        ["booking_quote", { offering_id: raft, session_id: session }],
        ["booking_hold", order({ expected_total_cents: 1 })],
        ["booking_hold", request]
      ] as const
    ) {
      const answer = await call(second, tool, input)
      const { data, isError, text } = await call(first, tool, input)
      if (tool !== "booking_hold" || isError) assert.deepStrictEqual(answer, { data, isError, text }, tool)
      else assert.strictEqual(answer.data.reference, data.reference)
    }
    // With both clients, the repeated key refers to the same booking.
    const all = await bookings(page.paid)
    assert.deepStrictEqual(all.map(({ source, status }) => [source, status]), [["mcp", "held"]])
    await Promise.all([first.close(), second.close()])
  })

  it("return every fact both as text and as structured content", async () => {
    const client = await page.connect(page.paid.slug)
    for (
      const [tool, input] of [
        ["trips_search", {}],
        ["trip_availability", { id: raft }],
        ["booking_quote", { offering_id: raft, session_id: session }],
        ["booking_hold", order()]
      ] as const
    ) {
      const { data, text } = await call(client, tool, input)
      for (const value of Object.values(data)) {
        if (typeof value === "string") assert.include(text, value, tool)
        if (typeof value === "number") assert.include(text, String(value), tool)
      }
      assert.isAtMost(countTokens(text), 1000, tool)
    }
    await client.close()
  })

  it("hold an unpaid booking until the guest confirms by email", async () => {
    const quote = await page.ask(page.unpaid.slug, "booking_quote", { offering_id: kayak, session_id: kayakSession })
    assert.include(quote.text, "No online payment is due")
    const request = kayakOrder()
    const hold = await page.ask(page.unpaid.slug, "booking_hold", request)
    assert.deepStrictEqual([hold.data.status, hold.data.checkout_url], ["held", undefined])
    assert.include(hold.text, "open the link in the email")
    const [booking] = await bookings(page.unpaid)
    assert.strictEqual(booking?.status, "held")

    const path = `/b/${String(booking?.handle)}`
    const link = await page.mailed(page.unpaid, booking?.id ?? "")
    const pageResponse = await fetch(`${page.url}${path}?mailed=${link}`, { redirect: "manual" })
    assert.isBelow(pageResponse.status, 400)
    const confirmation = await fetch(`${page.url}${path}/mailed`, {
      method: "POST",
      body: new URLSearchParams({ link }),
      redirect: "manual"
    })
    assert.isBelow(confirmation.status, 400)
    assert.strictEqual((await bookings(page.unpaid))[0]?.status, "confirmed")
    const again = await page.ask(page.unpaid.slug, "booking_hold", request)
    assert.strictEqual(again.data.status, "confirmed")
    assert.include(again.text, "The booking is confirmed.")
    assert.lengthOf(await bookings(page.unpaid), 1)
  })

  it("report that a hold has expired", async () => {
    const request = order()
    await page.ask(page.paid.slug, "booking_hold", request)
    await page.set("2027-05-01T14:31:00Z")
    const { text } = await page.ask(page.paid.slug, "booking_hold", request)
    assert.include(text, "expired, so nothing is reserved")
    const { data } = await page.ask(page.paid.slug, "trip_availability", { id: raft, date: "2027-05-20" })
    assert.include(JSON.stringify(data.starts), `"remaining":8`)
  })

  it("never show personal data", async () => {
    await page.paid.call("bookings.create", {
      offering_id: raft,
      session_id: session,
      customer: { email: "grace@example.com", name: "Grace Hopper", phone: "719 555 0100" },
      notes: "Allergic to nuts."
    })
    const client = await page.connect(page.paid.slug)
    const request = order({ email: "grace@example.com", name: "Someone else", notes: "Anything." })
    const texts: Array<string> = []
    for (const input of [request, request, { ...request, quantity: 3, expected_total_cents: 28_500 }]) {
      const { data, text } = await call(client, "booking_hold", input)
      texts.push(text, JSON.stringify(data))
    }
    for (
      const [tool, input] of [
        ["trips_search", {}],
        ["trip_availability", { id: raft }],
        ["booking_quote", { offering_id: raft, session_id: session }]
      ] as const
    ) {
      const { data, text } = await call(client, tool, input)
      texts.push(text, JSON.stringify(data))
    }
    const all = await bookings(page.paid)
    for (const text of texts) {
      assert.notMatch(text, /grace|hopper|0100|nuts|someone else/i)
      for (const { handle } of all) assert.notInclude(text, String(handle))
    }
    await client.close()
  })
})

describe("an outfitter's endpoint", () => {
  it("never returns another outfitter's data", async () => {
    const client = await page.connect(page.unpaid.slug)
    assert.notInclude((await call(client, "trips_search")).text, "Browns")
    for (
      const [tool, input] of [
        ["trip_availability", { id: raft }],
        ["booking_quote", { offering_id: raft, session_id: session }],
        ["booking_quote", { offering_id: kayak, session_id: session }],
        ["booking_hold", order()],
        ["booking_hold", order({ offering_id: kayak })]
      ] as const
    ) {
      const { data, isError } = await call(client, tool, input)
      assert.deepStrictEqual([isError, data.code], [true, "not_found"], tool)
    }
    assert.lengthOf(await bookings(page.paid), 0)
    await client.close()
  })

  it("exposes no staff operations, and rejects cross-site requests", async () => {
    const client = await page.connect(page.paid.slug)
    for (const name of ["bookings_list", "org_export", "desk_find", "visit_book", "constructor"]) {
      await client.callTool({ name, arguments: {} }).then(() => assert.fail(name), ({ code }) => {
        assert.strictEqual(code, -32_602)
      })
    }
    const answer = await fetch(`${page.url}/book/nobody/mcp`, { method: "POST", body: "{}" })
    assert.strictEqual(answer.status, 404)
    const stream = await fetch(`${page.url}/book/${page.paid.slug}/mcp`)
    assert.deepStrictEqual([stream.status, stream.headers.get("allow")], [405, "POST"])
    const foreign = await fetch(`${page.url}/book/${page.paid.slug}/mcp`, {
      method: "POST",
      headers: { origin: "https://evil.example", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    })
    assert.strictEqual(foreign.status, 403)
    await client.close()
  })

  it("is described by a server card and llms.txt", async () => {
    const root = `https://book.example/book/${page.paid.slug}`
    await page.paid.call("offerings.create", { name: "# [Fake](x)\n## Heading", kind: "rental", description: "a\n- b" })
    for (const path of ["mcp/server-card", ".well-known/mcp/server-card.json"]) {
      const answer = await fetch(`${page.url}/book/${page.paid.slug}/${path}`)
      assert.deepStrictEqual(
        [answer.status, answer.headers.get("content-type"), answer.headers.get("access-control-allow-origin")],
        [200, "application/mcp-server-card+json", "*"]
      )
      assert.deepStrictEqual(await answer.json(), {
        $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        name: `example.book/${page.paid.slug}`,
        version: readVersion(),
        title: "Salida River Co.",
        description: "Find and book trips with Salida River Co.",
        websiteUrl: root,
        remotes: [{ type: "streamable-http", url: `${root}/mcp` }]
      })
    }
    const answer = await fetch(`${page.url}/book/${page.paid.slug}/llms.txt`)
    assert.strictEqual(answer.headers.get("content-type"), "text/plain; charset=utf-8")
    const text = await answer.text()
    assert.include(text, `${root}/mcp`)
    assert.include(text, `- [Browns Canyon](${root}/${raft}): from $95.00. Class III rapids.`)
    assert.deepStrictEqual(text.split("\n").filter((line) => line.startsWith("#")), ["# Salida River Co.", "## Trips"])
    assert.notInclude(text, "Fjord kayak")
    for (const path of ["mcp/server-card", "llms.txt"]) {
      assert.strictEqual((await fetch(`${page.url}/book/nobody/${path}`)).status, 404)
    }
  })

  it("hides paused trips", async () => {
    await page.paid.call("offerings.update", { id: raft, active: false })
    assert.include((await page.ask(page.paid.slug, "trips_search")).text, "No trips can be booked right now.")
    for (const tool of ["trip_availability", "booking_quote"]) {
      const { data } = await page.ask(page.paid.slug, tool, { id: raft, offering_id: raft })
      assert.oneOf(data.code, ["not_found", "invalid_request"])
    }
    const { data } = await page.ask(page.paid.slug, "booking_quote", { offering_id: raft, session_id: session })
    assert.strictEqual(data.code, "not_found")
  })
})

describe("invalid input", () => {
  it.each([
    ["booking_hold", { expected_total_cents: undefined }, "expected_total_cents"],
    ["booking_hold", { email: "nobody" }, "email"],
    ["booking_hold", { name: "" }, "name"],
    ["booking_hold", { quantity: 0 }, "quantity"],
    ["booking_hold", { idempotency_key: "1" }, "idempotency_key"],
    ["booking_hold", { discount: 1 }, "discount"],
    ["booking_quote", { name: undefined }, "email"],
    ["trips_search", { q: 1 }, "q"]
  ])("to %s returns the field and the fix: %o", async (tool, wrong, field) => {
    const input = Object.fromEntries(
      Object.entries({ ...tool === "trips_search" ? {} : order(), ...wrong }).filter(([, value]) => value !== undefined)
    )
    const { data, isError, text } = await page.ask(page.paid.slug, tool, input)
    assert.isTrue(isError)
    assert.deepStrictEqual([data.code, data.field], ["invalid_request", field])
    assert.include(text, "Next: Correct the field and call again.")
  })

  it("names the next tool if the price or the departure changed", async () => {
    const priceRefusal = await page.ask(page.paid.slug, "booking_hold", order({ expected_total_cents: 1 }))
    assert.strictEqual(priceRefusal.data.code, "price_changed")
    assert.include(String(priceRefusal.data.fix), "booking_quote")
    await page.paid.call("sessions.cancel", { id: session })
    const tripRefusal = await page.ask(page.paid.slug, "booking_hold", order())
    assert.include(String(tripRefusal.data.fix), "trip_availability")
    assert.lengthOf(await bookings(page.paid), 0)
  })
})

describe("an anonymous visitor's limits", () => {
  it("allow 120 requests per minute", async () => {
    const address = "192.0.2.9"
    const get = () => fetch(`${page.url}/book/${page.paid.slug}`, { headers: { "x-address": address } })
    for (let at = 0; at < 100; at++) assert.strictEqual((await get()).status, 200)
    const client = await page.connect(page.paid.slug, address)
    const exceedLimit = async () => {
      for (let at = 0; at < 30; at++) await client.callTool({ name: "trips_search", arguments: {} })
    }
    await exceedLimit().then(() => assert.fail("no rate limit"), (error) => assert.match(String(error), /rate_limited/))
    assert.strictEqual((await get()).status, 429)
    await client.close()
    assert.isFalse((await page.ask(page.paid.slug, "trips_search", {}, "192.0.2.10")).isError)
  })

  it("allow 10 holds per minute", async () => {
    const client = await page.connect(page.paid.slug)
    for (let at = 0; at < 10; at++) await call(client, "booking_hold", order({ expected_total_cents: 1 }))
    const { data } = await call(client, "booking_hold", order({ quantity: 1, expected_total_cents: 9500 }))
    assert.strictEqual(data.code, "rate_limited")
    assert.match(String(data.fix), /^Retry the same call later\. Wait \d+ s first\.$/)
    assert.lengthOf(await bookings(page.paid), 0)
    await page.set("2027-05-01T14:01:00Z")
    assert.isFalse((await call(client, "booking_hold", order({ quantity: 1, expected_total_cents: 9500 }))).isError)
    await client.close()
  })

  it("allow 20 discount code attempts per hour", async () => {
    await page.paid.call("discounts.create", { code: "SPRING", percent_bps: 1000 })
    const client = await page.connect(page.paid.slug)
    const quote = (discount_code: string) =>
      call(client, "booking_quote", { offering_id: raft, session_id: session, quantity: 2, discount_code })
    assert.strictEqual((await quote("SPRING")).data.total_cents, 17_100)
    for (let at = 1; at < 20; at++) assert.strictEqual((await quote(`GUESS${at}`)).data.code, "discount_invalid")
    assert.strictEqual((await quote("SPRING")).data.code, "rate_limited")
    assert.isFalse((await call(client, "booking_quote", { offering_id: raft, session_id: session })).isError)
    await client.close()
  })

  it("allow at most a quarter of a departure's seats", async () => {
    const { data } = await page.ask(
      page.paid.slug,
      "booking_hold",
      order({ quantity: 3, expected_total_cents: 28_500 })
    )
    assert.strictEqual(data.code, "email_unproven")
    assert.include(String(data.fix), "booking page")
    assert.lengthOf(await bookings(page.paid), 0)
  })
})

describe("64 guests' assistants", () => {
  it("book the last seat only once", async () => {
    const [id, one] = await departure(page.paid, "Last seat", { capacity: 1 })
    const results = await Promise.all(Array.from({ length: 64 }, (_, at) =>
      page.ask(
        page.paid.slug,
        "booking_hold",
        order({
          offering_id: id,
          session_id: one,
          quantity: 1,
          expected_total_cents: 9500,
          email: `guest${at}@example.com`
        }),
        `198.51.100.${at + 1}`
      )))
    assert.lengthOf(results.filter(({ data }) => data.status === "held"), 1)
    for (const { data } of results) if (data.status !== "held") assert.strictEqual(data.code, "slot_full")
    assert.lengthOf(await bookings(page.paid), 1)
  })
})
