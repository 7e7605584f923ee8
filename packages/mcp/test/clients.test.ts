/** Tests the same flows with the official clients for both protocol versions. */
import { assert, beforeEach, describe, it } from "vitest"
import { connectV1, connectV2, fetchOf } from "./Clients.ts"
import { type Answer, type World, world } from "./World.ts"

/** The methods that both clients share. The two client types have no common base type. */
interface Client {
  readonly getServerVersion: () => unknown
  readonly getInstructions: () => string | undefined
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
}

interface Result {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text: string }>
  readonly structuredContent?: Answer
  readonly isError?: boolean
}

const caller = (client: Client) => async (name: string, input: Record<string, unknown> = {}): Promise<Result> =>
  await client.callTool({ name, arguments: input }) as Result

const connects = [
  ["up to 2025-11-25", (here: World, query = ""): Promise<Client> => connectV1(here, { query })],
  ["2026-07-28", (here: World, query = ""): Promise<Client> => connectV2(here, { query })]
] as const

describe.each(connects)("a client of revisions %s", (_, connect) => {
  let here: World
  beforeEach(async () => {
    here = await world()
  })

  it("receives the server's name and short instructions", async () => {
    const client = await connect(here)
    assert.deepInclude(client.getServerVersion(), { name: "trailbook", title: "Trailbook", version: "0.1.0" })
    const instructions = client.getInstructions() ?? ""
    assert.match(instructions, /^This is Salida River Co\. in America\/Denver; prices are in USD cents\./)
    assert.isBelow(new TextEncoder().encode(instructions).byteLength, 1024)
  })

  it("books a slot that it listed", async () => {
    const call = caller(await connect(here, "schemas=full"))
    const { structuredContent: kayak } = await call("offerings_create", { name: "Kayak", kind: "rental" })
    const free = await call("availability_get", { id: kayak?.id, to: "2027-06-07" })
    const day = (date: number) => ["Sat", "Sun", "Mon", "Tue"][date - 5] + ` 2027-06-0${date} 09:00`
    assert.deepStrictEqual<unknown>(free.structuredContent, {
      timezone: "America/Denver",
      now_local: "Sat 2027-06-05 08:00",
      data: [5, 6, 7].map((date) => ({
        starts_at: `2027-06-0${date}T15:00:00.000Z`,
        starts_local: day(date),
        ends_local: day(date + 1),
        capacity: 1,
        remaining: 1
      }))
    })
    assert.deepStrictEqual(free.content.map(({ text }) => text), [[
      ...[5, 6, 7].map((date) =>
        `- ${day(date)} to ${day(date + 1)}: capacity 1, remaining 1, ` +
        `starts_at 2027-06-0${date}T15:00:00.000Z`
      ),
      "It is now Sat 2027-06-05 08:00 in America/Denver."
    ].join("\n")])
    const booking = await call("bookings_create", {
      offering_id: kayak?.id,
      starts_at: free.structuredContent?.data[1]?.starts_at,
      customer: { email: "ann@example.com", name: "Ann" }
    })
    assert.notProperty(booking, "isError")
    assert.lengthOf(booking.content, 1)
    assert.deepInclude(booking.structuredContent, { source: "mcp", status: "confirmed" })
    assert.deepStrictEqual(
      (await here.call("bookings.get", { id: booking.structuredContent?.id })).starts_at,
      "2027-06-06T15:00:00.000Z"
    )
  })

  it("receives a refusal's code and next step as text and JSON", async () => {
    const client = await connect(here, "schemas=full")
    // After the client has listed the tools, it validates each result against its tool's schema.
    await client.listTools()
    const call = caller(client)
    const { structuredContent: kayak } = await call("offerings_create", { name: "Kayak", kind: "rental" })
    const request = { offering_id: kayak?.id, starts_at: "2027-06-06T15:00:00Z" }
    await call("bookings_create", { ...request, customer: { email: "ann@example.com" } })
    const refusals = [
      await call("bookings_create", { ...request, customer: { email: "bob@example.com" } }),
      await call("bookings_get", { id: kayak?.id }),
      await call("bookings_get", { id: "seven" }),
      await call("bookings_get", { id: kayak?.id, surprise: true }),
      await call("offerings_delete", { id: kayak?.id })
    ]
    for (const refusal of refusals) {
      assert.isTrue(refusal.isError)
      assert.lengthOf(refusal.content, 1)
      const { code, fix, message } = Object(refusal.structuredContent)
      assert.strictEqual(refusal.content[0]?.text, `${code}: ${message}\nNext: ${fix}`)
    }
    assert.deepStrictEqual(refusals.map(({ content }) => content[0]?.text.split(/[:\n]/, 1)[0]), [
      "slot_full",
      "not_found",
      "invalid_request",
      "invalid_request",
      "has_bookings"
    ])
    assert.match(refusals[0]?.content[0]?.text ?? "", /\nNext: Check remaining in availability_get/)
    assert.match(refusals[2]?.content[0]?.text ?? "", /^invalid_request: id: must be a UUID\nNext: Correct the field/)
    assert.match(
      refusals[4]?.content[0]?.text ?? "",
      /Next: Ask the outfitter whether to cancel the bookings\. Retry with `?cancel_bookings=true`? only if /
    )
  })

  it("receives an error for an unknown tool", async () => {
    const call = caller(await connect(here))
    const error: unknown = await call("bookings_delete").catch((error: unknown) => error)
    assert.deepInclude(error, { code: -32_602 })
    assert.include(String(error), "Unknown tool: bookings_delete")
  })

  it("cannot call a tool that its server URL excludes", async () => {
    const client = await connect(here, "toolsets=catalog,admin&readonly=1")
    const { tools } = await client.listTools()
    assert.notIncludeMembers(tools.map(({ name }) => name), ["bookings_list", "org_update"])
    const call = caller(client)
    for (const name of ["bookings_list", "org_update"]) {
      const { content, isError } = await call(name, {})
      assert.isTrue(isError)
      assert.match(
        content[0]?.text ?? "",
        /^forbidden: .*toolsets=catalog,admin and readonly=1\.\nNext: Ask the outfitter/
      )
    }
  })
})

describe("the MCP endpoint", () => {
  it("rejects unknown tool selections and API keys in the query string", async () => {
    const send = await fetchOf(await world())
    const ask = (query: string) =>
      send(`http://127.0.0.1/mcp?${query}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
      })
    for (
      const query of ["toolsets=booking", "readonly=yes", "schemas=all", "api_key=tb_live_x", "readonly=1&readonly=0"]
    ) {
      const response = await ask(query)
      assert.strictEqual(response.status, 400, query)
      assert.include(await response.text(), query.split("=", 1)[0] ?? "")
    }
  })

  it("returns JSON instead of a stream, and requires no session", async () => {
    const send = await fetchOf(await world())
    const response = await send("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    })
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-type"), "application/json")
    assert.isNull(response.headers.get("mcp-session-id"))
  })
})
