/**
 * Runs the program against a real server over an unreliable connection: one seat is sold before the program books it,
 * and one response is lost after the booking is made.
 */
import { startServer } from "@trailbook/server"
import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { createTrailbook } from "trailbook"
import { assert, it, onTestFinished } from "vitest"
import { call, connect, ToolRefusal } from "../tools.ts"

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "trailbook-mcp-"))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Starts a server for an outfitter with a raft for six people on each of two days. */
const openServer = async () => {
  const file = join(folder(), "trips.sqlite")
  const outfitter = await createTrailbook({
    database: `sqlite:${file}`,
    org: { name: "Salida River Co.", timezone: "America/Denver" }
  })
  onTestFinished(() => outfitter.close())
  const raft = await outfitter.offerings.create({ name: "Half-day raft trip", kind: "class", capacity: 6 })
  for (const days of [7, 8]) {
    await outfitter.sessions.create({
      offering_id: raft.id,
      starts_at: new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()
    })
  }
  const { api_key: key } = await outfitter.keys.create({ name: "Group trips", scopes: ["read", "write"] })
  const server = await startServer({ database: { _tag: "Sqlite", file }, port: 0, worker: "off" })
  onTestFinished(() => server.stop())
  return { key, outfitter, raft, server }
}

type Call = { readonly arguments: { readonly session_id: string; readonly idempotency_key: string } }

/** Starts a proxy in front of the server. The proxy can interfere with each booking. */
const line = async (
  origin: string,
  around: (call: Call, answer: () => Promise<Response>) => Promise<Response | "lost">
) => {
  const proxy = createServer(async (request, response) => {
    const body = await text(request)
    const { method, params } = body === "" ? {} : JSON.parse(body)
    const answer = () =>
      fetch(new URL(request.url ?? "", origin), {
        method: request.method ?? "GET",
        headers: {
          authorization: request.headers.authorization ?? "",
          accept: request.headers.accept ?? "",
          "content-type": "application/json",
          "mcp-protocol-version": String(request.headers["mcp-protocol-version"] ?? "2025-06-18")
        },
        ...(body === "" ? {} : { body })
      })
    const isBooking = method === "tools/call" && params.name === "bookings_create"
    const result = isBooking ? await around(params, answer) : await answer()
    if (result === "lost") {
      response.destroy()
      return
    }
    response.writeHead(result.status, { "content-type": result.headers.get("content-type") ?? "text/plain" })
    response.end(await result.text())
  })
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
}

it("the program books the next start time if the first one sells out", async () => {
  const { key, outfitter, raft, server } = await openServer()
  const requests: Array<Call["arguments"]> = []
  const url = await line(server.origin, async ({ arguments: args }, answer) => {
    requests.push(args)
    // Another caller books first.
    if (requests.length === 1) {
      const customer = { email: "grace@example.com" }
      await outfitter.bookings.create({ offering_id: raft.id, session_id: args.session_id, quantity: 6, customer })
    }
    const response = await answer()
    return requests.length === 2 ? "lost" : response
  })

  const tsx = createRequire(import.meta.url).resolve("tsx")
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", tsx, join(import.meta.dirname, "../book.ts"), "ada@example.com", "4"],
    { env: { ...process.env, TRAILBOOK_URL: url, TRAILBOOK_KEY: key }, timeout: 60_000 }
  )

  const { data } = await outfitter.bookings.list()
  const ownBookings = data.filter(({ customer }) => customer.email === "ada@example.com")
  assert.lengthOf(ownBookings, 1)
  assert.deepInclude(ownBookings[0], { status: "confirmed", quantity: 4, source: "mcp" })
  assert.lengthOf(requests, 3)
  assert.notStrictEqual(requests[1]?.idempotency_key, requests[0]?.idempotency_key)
  assert.deepEqual(requests[2], requests[1])
  const lines = stdout.trim().split("\n")
  assert.match(lines[0] ?? "", /^\d+ tools, such as \w+$/)
  assert.deepEqual(lines.slice(1), [
    `${data.find(({ customer }) => customer.email === "grace@example.com")?.starts_at} is gone`,
    `confirmed: Half-day raft trip, ${ownBookings[0]?.starts_at}, ${ownBookings[0]?.reference}`
  ])
})

it("the client does not retry a call that the server refuses", async () => {
  const { key, server } = await openServer()
  let requestCount = 0
  const url = await line(server.origin, (_, answer) => {
    requestCount++
    return answer()
  })
  const client = await connect(url, key)
  onTestFinished(() => client.close())
  const refusal: unknown = await call(client, "bookings_create", {
    offering_id: crypto.randomUUID(),
    session_id: crypto.randomUUID(),
    customer: { email: "ada@example.com" }
  }).catch((error: unknown) => error)
  assert.instanceOf(refusal, ToolRefusal)
  assert.strictEqual(refusal.code, "not_found")
  assert.match(refusal.message, /\nNext: /)
  assert.strictEqual(requestCount, 1)

  const stranger: unknown = await connect(url, "tb_live_nobody").catch((error: unknown) => error)
  assert.match(String(stranger), /401|[Uu]nauthorized/)
})

it("the guide quotes the example's code verbatim", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/how-to/connect-an-assistant.md"), "utf8")
  const sources = ["tools.ts", "book.ts"].map((name) => readFileSync(join(import.meta.dirname, "..", name), "utf8"))
  const blocks = Array.from(page.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = ""]) => code)
  assert.lengthOf(blocks, 1)
  for (const block of blocks) assert.isTrue(sources.some((source) => source.includes(block)), block)
})
