/** Tests Trailbook mounted in a host's server, behind the host's own sign-in. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import type { AuthorizedCaller, HttpOptions, Mail } from "trailbook"
import { toNextHandlers } from "trailbook/next"
import { toNodeHandler } from "trailbook/node"
import { assert, describe, expect, it, onTestFinished, vi } from "vitest"
import { folder } from "../../../cli/test/program.ts"
import { ada, openTrailbook, trip } from "./outfit.ts"

const at = (path: string, init: RequestInit = {}) => new Request(new URL(path, "http://localhost"), init)

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers }
})

/** A cookie-based sign-in, like that of many host applications. */
const signedIn: NonNullable<HttpOptions["authorize"]> = ({ headers }) =>
  headers.get("cookie") === "staff=1" ? { scopes: ["read", "write"], source: "dashboard" } : null
const staff = { cookie: "staff=1" }

describe("the handler", () => {
  it("requires an API key, and serves URLs below its mount path", async () => {
    const trailbook = await openTrailbook({ http: { basePath: "/booking/" } })
    const { api_key } = await trailbook.keys.create({ name: "Website" })
    const headers = { authorization: `Bearer ${api_key}` }
    const answer = await trailbook.handler(at("/booking/v1/org", { headers }))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(await trailbook.org.get())
    expect((await trailbook.handler(at("/booking/v1/org"))).status).toBe(401)
    expect((await trailbook.handler(at("/v1/org", { headers }))).status).toBe(200)
    expect((await trailbook.handler(at("/bookings/v1/org", { headers }))).status).toBe(404)
    expect((await trailbook.handler(at("/booking/v1/orgs", { headers }))).status).toBe(404)
    expect((await trailbook.handler(at("/booking/v1/org", { ...post({}), headers }))).status).toBe(405)
    const description = await (await trailbook.handler(at("/booking/v1/openapi.json"))).json()
    expect(description).toMatchObject({ servers: [{ url: "/booking/v1" }] })
    expect((await trailbook.handler(at("/booking/readyz"))).status).toBe(200)
  })

  it.each([
    ["https://salida.example", "/trips"],
    ["https://salida.example/trips", "/trips"],
    ["https://trips", "/trips"],
    ["https://salida.example/", ""]
  ])("serves the pages that emails link to, at %s below %j", async (publicUrl, basePath) => {
    const mails: Array<Mail> = []
    const trailbook = await openTrailbook({
      publicUrl,
      mailer: { send: async (mail) => void mails.push(mail) },
      http: { basePath, surfaces: ["pages", "widget", "dashboard"] }
    })
    const booking = await trailbook.bookings.create({ ...await trip(trailbook), ...ada })
    await trailbook.staff.add({ email: "ann@example.com", name: "Ann" })
    const owner = await trailbook.handler(at(`${basePath}/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ email: "ann@example.com" }),
      headers: { "sec-fetch-site": "same-origin" }
    }))
    expect(owner.status).toBeLessThan(400)
    await trailbook.worker.runOnce()
    const address = publicUrl.replace(/\/$/, "").replace(/([^/])\/trips$/, "$1") + basePath
    const links = mails.flatMap(({ text }) => text.match(/https:\/\/[^\s>)]+/g) ?? [])
    assert.include(links, `${address}/b/${booking.handle}`)
    assert.isTrue(links.some((link) => link.startsWith(`${address}/sign-in/`)), links.join())
    for (const link of new Set(links)) {
      assert.isTrue(link.startsWith(`${address}/`), link)
      expect((await trailbook.handler(at(new URL(link).pathname))).status, link).toBe(200)
    }
    await trailbook.saved_replies.create({ title: "Link", body: "{booking_link}" })
    const { data: [reply] } = await trailbook.saved_replies.list({ booking_id: booking.id })
    expect(reply?.text).toBe(`${address}/b/${booking.handle}`)
    const page = await (await trailbook.handler(at(`${basePath}/widget/salida-river-co`))).text()
    assert.include(page, `${address}/widget.js`)
  })

  it("takes the org and the scopes from the host's sign-in", async () => {
    const trailbook = await openTrailbook({ http: { authorize: signedIn } })
    const place = await trip(trailbook)
    const nobody = await trailbook.handler(at("/v1/bookings", post({ ...place, ...ada })))
    expect(nobody.status).toBe(401)
    expect(await nobody.json()).toEqual({ error: { code: "unauthorized", message: "Sign in first." } })
    const answer = await trailbook.handler(at("/v1/bookings", post({ ...place, ...ada }, staff)))
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ source: "dashboard", status: "confirmed" })
    expect((await trailbook.handler(at("/v1/org/export", { headers: staff }))).status).toBe(403)
    // With `authorize`, the host's sign-in replaces API keys.
    const { api_key } = await trailbook.keys.create({ name: "Website" })
    const headers = { authorization: `Bearer ${api_key}` }
    expect((await trailbook.handler(at("/v1/org", { headers }))).status).toBe(401)
  })

  describe("with the dashboard", () => {
    const people: Readonly<Record<string, AuthorizedCaller["staff"]>> = {
      "staff=ann": { email: "Ann@example.com", role: "owner", name: "Ann" },
      "staff=bob": { email: "bob@example.com", role: "staff" }
    }
    const http: HttpOptions = {
      surfaces: ["rest", "dashboard"],
      authorize: ({ headers }) => {
        const cookie = headers.get("cookie") ?? ""
        const role = { ...people[cookie] }.role
        return role === undefined && cookie !== "staff=1" ? null : { scopes: ["read"], staff: people[cookie] }
      }
    }
    const look = (cookie: string) => at("/dashboard", { headers: { cookie, accept: "text/html" } })

    it("emails invitation links below its base path", async () => {
      const mails: Array<Mail> = []
      const trailbook = await openTrailbook({
        publicUrl: "https://salida.example",
        mailer: { send: async (mail) => void mails.push(mail) },
        http: { ...http, basePath: "/desk" }
      })
      const invited = await trailbook.handler(at("/desk/dashboard/team/invite", {
        method: "POST",
        body: new URLSearchParams({ email: "cleo@example.com", name: "Cleo", role: "staff" }),
        headers: { cookie: "staff=ann", "sec-fetch-site": "same-origin" }
      }))
      expect(invited.status).toBe(303)
      await trailbook.worker.runOnce()
      assert.match(mails[0]?.text ?? "", /https:\/\/salida\.example\/desk\/sign-in\/[\w-]+/)
    })

    it("signs in the staff member whom the host identifies", async () => {
      const trailbook = await openTrailbook({ http })
      expect((await trailbook.handler(look("staff=ann"))).status).toBe(200)
      expect((await trailbook.handler(look("staff=ann"))).status).toBe(200)
      expect((await trailbook.handler(look("staff=bob"))).status).toBe(200)
      expect(await trailbook.staff.list()).toMatchObject([
        { email: "ann@example.com", name: "Ann", role: "owner", notify: false },
        { email: "bob@example.com", role: "staff" }
      ])
      // The role is read again for each request, and only an owner can submit this form.
      const form = (cookie: string) =>
        at("/dashboard/logins/0199aaaa-0000-7000-8000-000000000000/end", {
          method: "POST",
          body: "",
          headers: { cookie, "content-type": "application/x-www-form-urlencoded" }
        })
      expect((await trailbook.handler(form("staff=ann"))).status).toBe(303)
      expect((await trailbook.handler(form("staff=bob"))).status).toBe(403)
    })

    it("lets staff issue refunds only if the org allows it", async () => {
      const trailbook = await openTrailbook({ http })
      const open = async () =>
        (await trailbook.handler(at("/dashboard/bookings/0199aaaa-0000-7000-8000-000000000000/refunds/new", {
          headers: { cookie: "staff=bob", accept: "text/html" }
        }))).status
      expect(await open()).toBe(403)
      await trailbook.org.update({ staff_may_refund: true })
      expect(await open()).toBe(404)
    })

    it("redirects everyone else to the sign-in page", async () => {
      const trailbook = await openTrailbook({ http })
      for (const cookie of ["staff=1", "staff=eve"]) {
        const answer = await trailbook.handler(look(cookie))
        expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sign-in?next=%2Fdashboard"])
      }
      expect(await trailbook.staff.list()).toEqual([])
      // Outside the dashboard, only the scopes that `authorize` returned apply.
      const init = {
        ...post({}),
        method: "PATCH",
        headers: { cookie: "staff=ann", "content-type": "application/json" }
      }
      expect((await trailbook.handler(at("/v1/org", init))).status).toBe(403)
    })

    it("applies the current role from the host's sign-in", async () => {
      const roles: { role: "owner" | "staff" } = { role: "owner" }
      const trailbook = await openTrailbook({
        http: {
          surfaces: ["dashboard"],
          authorize: () => ({ scopes: [], staff: { email: "ann@example.com", role: roles.role } })
        }
      })
      const endRequest = () =>
        at("/dashboard/logins/0199aaaa-0000-7000-8000-000000000000/end", {
          method: "POST",
          body: "",
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
      expect((await trailbook.handler(endRequest())).status).toBe(303)
      roles.role = "staff"
      expect((await trailbook.handler(endRequest())).status).toBe(403)
      expect(await trailbook.staff.list()).toMatchObject([{ role: "owner" }])
    })
  })

  it.each([[null], [undefined], [false]])(
    "refuses access if the host's sign-in returns %s",
    async (answer: unknown) => {
      const trailbook = await openTrailbook({ http: { authorize: () => answer as null } })
      const response = await trailbook.handler(new Request("http://localhost/v1/org"))
      expect([response.status, await response.json()]).toEqual([401, {
        error: { code: "unauthorized", message: "Sign in first." }
      }])
    }
  )

  it.each([
    [{}, "scopes: is required"],
    [{ scopes: ["read", "root"] }, "scopes.1: must be one of read, write, admin"],
    [{ scopes: ["read"], source: "web" }, "source: must be one of dashboard, api, mcp, widget"]
  ])("logs an error if the host's sign-in returns %o", async (answer: object, why) => {
    const log: Array<string> = []
    const trailbook = await openTrailbook({
      http: { authorize: () => answer as AuthorizedCaller },
      log: (line) => void log.push(line)
    })
    const response = await trailbook.handler(new Request("http://localhost/v1/org"))
    expect(response.status).toBe(500)
    expect(log.join("\n")).toContain(`http.authorize returned an invalid value: ${why}`)
  })

  it("shows each outfitter only its own data", async () => {
    const trailbook = await openTrailbook({
      org: undefined,
      http: { authorize: ({ headers }) => ({ org: headers.get("x-tenant") ?? "", scopes: ["read"] }) }
    })
    const slugs = ["Salida", "Nordfjord"].map(async (name) =>
      (await trailbook.orgs.create({ name, timezone: "UTC" })).slug
    )
    for (const slug of await Promise.all(slugs)) {
      const answer = await trailbook.handler(at("/v1/org", { headers: { "x-tenant": slug } }))
      expect(await answer.json()).toMatchObject({ slug })
    }
    const unknown = await trailbook.handler(at("/v1/bookings", { headers: { "x-tenant": "nobody" } }))
    expect(unknown.status).toBe(401)
  })

  it.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 401],
    ["a neighbor", { "sec-fetch-site": "same-site", origin: "https://blog.example.com" }, 401],
    ["another site in an older browser", { origin: "https://evil.example", host: "book.example.com" }, 401],
    ["a page without an origin", { origin: "null", host: "book.example.com" }, 401],
    ["its own site", { "sec-fetch-site": "same-origin", origin: "https://book.example.com" }, 200],
    ["its own site in an older browser", { origin: "https://book.example.com", host: "book.example.com" }, 200],
    ["a page that it trusts", { "sec-fetch-site": "same-site", origin: "https://app.example.com" }, 200],
    ["no page", {}, 200]
  ])(
    "checks the origin of a cookie-authenticated write from %s",
    async (_name, headers, status) => {
      const trailbook = await openTrailbook({
        http: { authorize: signedIn, trustedOrigins: ["https://app.example.com"] }
      })
      const booking = await trailbook.bookings.create({ ...await trip(trailbook), ...ada })
      // A form cannot send JSON, and a cancellation needs no body.
      const init = { method: "POST", headers: { ...staff, ...headers } }
      const answer = await trailbook.handler(at(`/v1/bookings/${booking.id}/cancel`, init))
      expect(answer.status).toBe(status)
      expect((await trailbook.bookings.get({ id: booking.id })).status).toBe(status === 200 ? "cancelled" : "confirmed")
    }
  )

  it("serves assistants at /mcp with the host's sign-in if MCP is enabled", async () => {
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    }
    const accepting = { accept: "application/json, text/event-stream" }
    const ask = (handler: Awaited<ReturnType<typeof openTrailbook>>["handler"], headers: Record<string, string>) =>
      handler(at("/booking/mcp", post(initialize, { ...accepting, ...headers })))
    const rest = await openTrailbook({ http: { basePath: "/booking", authorize: signedIn } })
    expect((await ask(rest.handler, staff)).status).toBe(404)
    const mcp = await openTrailbook({ http: { basePath: "/booking", authorize: signedIn, surfaces: ["mcp"] } })
    expect((await ask(mcp.handler, staff)).status).toBe(200)
    expect((await ask(mcp.handler, {})).status).toBe(401)
    expect((await mcp.handler(at("/booking/v1/org", { headers: staff }))).status).toBe(404)
  })

  it("rejects /mcp messages over the tool's size limit", async () => {
    const { handler } = await openTrailbook({ http: { authorize: signedIn, surfaces: ["mcp"] } })
    const names = Array.from({ length: 6000 }, (_, at) => `"k${at}":1`).join(",")
    const call = (tool: string, argsJson: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params" : {"arguments": ${argsJson}, "name" : "${tool}"}}`
    const postJson = async (body: string) => {
      const parse = vi.spyOn(JSON, "parse")
      const headers = { accept: "application/json, text/event-stream", "content-type": "application/json", ...staff }
      const answer = await handler(at("/mcp", { method: "POST", body, headers }))
      const parsed = Math.max(0, ...parse.mock.calls.map(([text]) => text.length))
      parse.mockRestore()
      return { status: answer.status, text: await answer.text(), parsed }
    }
    for (const body of [`{${names}}`, call("org_get", `{${names}}`), call("saved_replies_create", `{${names}}`)]) {
      const { parsed, status, text } = await postJson(body)
      assert.strictEqual(status, 400)
      assert.include(text, "k0: is not a field of this request")
      assert.isAtMost(parsed, 100)
    }
    const kibibyte = 1024
    const fields = `{"title":"Towel","body":"Bring a towel."}`
    for (
      const [body, limit] of [
        [call("saved_replies_create", fields), 80 * kibibyte],
        [call("offerings_create", `{"name":"Raft","kind":"class"}`), 144 * kibibyte],
        [`{"jsonrpc":"2.0","id":1,"method":"ping"}`, 80 * kibibyte]
      ] as const
    ) {
      assert.strictEqual((await postJson(body.padEnd(limit))).status, 200)
      assert.strictEqual((await postJson(body.padEnd(limit + 1))).status, 413)
    }
  })

  it("lets other sites frame its pages only with the widget", async () => {
    const framed = async (surfaces: ReadonlyArray<"rest" | "pages" | "widget">) => {
      const { get, handler } = await withPages(surfaces)
      const { headers, status } = await get("/booking/book/salida-river-co?embed=1")
      expect(status).toBe(200)
      const [, ancestors] = /frame-ancestors (\S+)/.exec(headers.get("content-security-policy") ?? "") ?? []
      const [script, ownPage] = await Promise.all([
        get("/booking/widget.js"),
        get("/booking/widget/salida-river-co")
      ])
      expect((await handler(at("/booking/v1/org"))).status).toBe(surfaces.includes("rest") ? 401 : 404)
      return [ancestors, headers.get("x-frame-options"), script.status, ownPage.status]
    }
    const withPages = async (surfaces: ReadonlyArray<"rest" | "pages" | "widget">) => {
      const { handler } = await openTrailbook({ http: { basePath: "/booking", surfaces } })
      return { handler, get: (path: string) => handler(at(path, { headers: { accept: "text/html" } })) }
    }
    expect(await framed(["rest", "pages", "widget"])).toEqual(["*", null, 200, 200])
    expect(await framed(["pages"])).toEqual(["'none'", "DENY", 404, 404])
  })

  it("returns status 503 if the database cannot be opened", async () => {
    const lines: Array<string> = []
    const path = folder()
    const trailbook = await openTrailbook({ database: `sqlite:${path}`, log: (line) => lines.push(line) })
    const answer = await trailbook.handler(at("/v1/org"))
    expect(answer.status).toBe(503)
    assert.notInclude(await answer.text(), path)
    assert.include(lines.join(), path)
  })

  it("logs client errors only if request logging is enabled", async () => {
    const linesAt = async (logLevel: "info" | undefined) => {
      const lines: Array<string> = []
      const trailbook = await openTrailbook({ logLevel, log: (line) => lines.push(line) })
      await trailbook.handler(at("/v1/org"))
      return lines.map((line) => JSON.parse(line).status)
    }
    expect(await linesAt(undefined)).toEqual([])
    expect(await linesAt("info")).toEqual([401])
  })

  it("does not expose errors from the host's sign-in to callers", async () => {
    const lines: Array<string> = []
    const trailbook = await openTrailbook({
      log: (line) => lines.push(line),
      http: { authorize: () => Promise.reject(new Error("the session store is away")) }
    })
    const answer = await trailbook.handler(at("/v1/org"))
    expect(answer.status).toBe(500)
    assert.notInclude(await answer.text(), "session store")
    assert.include(lines.join(), "the session store is away")
  })
})

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  assert(typeof address === "object" && address !== null)
  return `http://127.0.0.1:${address.port}`
}

describe("the handler in Node's HTTP server", () => {
  it("accepts a request with a body", async () => {
    const trailbook = await openTrailbook({ http: { authorize: signedIn } })
    const place = await trip(trailbook)
    const origin = await listen((request, response) => void toNodeHandler(trailbook)(request, response))
    const answer = await fetch(`${origin}/v1/bookings`, post({ ...place, ...ada }, staff))
    expect(answer.status).toBe(201)
    expect((await trailbook.bookings.list()).data).toEqual([await answer.json()])
  })

  it.each(
    [
      ["JSON", (bytes: Buffer) => JSON.parse(bytes.toString())],
      ["text", (bytes: Buffer) => bytes.toString()],
      ["a Buffer", (bytes: Buffer) => bytes],
      ["a Uint8Array", (bytes: Buffer) => new Uint8Array(bytes)]
    ] as const
  )("accepts a body already parsed as %s", async (_, toBody) => {
    const trailbook = await openTrailbook({ http: { authorize: signedIn } })
    const place = await trip(trailbook)
    const parseBody = async (request: IncomingMessage) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk)
      return Object.assign(request, { body: toBody(Buffer.concat(chunks)) })
    }
    const origin = await listen(async (request, response) =>
      toNodeHandler(trailbook)(await parseBody(request), response)
    )
    const answer = await fetch(`${origin}/v1/bookings`, post({ ...place, ...ada, notes: "é" }, staff))
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ notes: "é" })
  })

  it("responds to HTTP/1.0 without a Host header", async () => {
    const trailbook = await openTrailbook()
    const origin = await listen((request, response) => void toNodeHandler(trailbook)(request, response))
    const probe = connect(Number(new URL(origin).port), "127.0.0.1").end("GET /healthz HTTP/1.0\r\n\r\n")
    expect(await text(probe)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it("rate limits invalid keys by client address", async () => {
    const trailbook = await openTrailbook()
    const origin = await listen((request, response) => void toNodeHandler(trailbook)(request, response))
    const statuses: Array<number> = []
    for (let attempt = 0; attempt < 21; attempt++) statuses.push((await fetch(`${origin}/v1/org`)).status)
    expect(statuses.at(-1)).toBe(429)
    // Each address has its own limit.
    expect((await trailbook.handler(at("/v1/org"), { remoteAddress: "203.0.113.9" })).status).toBe(401)
  })
})

it("toNextHandlers returns a handler for each method of a Next.js route", async () => {
  const trailbook = await openTrailbook({ http: { basePath: "/booking", authorize: signedIn } })
  const { GET, POST, ...others } = toNextHandlers(trailbook)
  expect(Object.keys(others)).toEqual(["DELETE", "PATCH", "PUT"])
  const place = await trip(trailbook)
  const response = await Reflect.apply(POST, undefined, [
    at("/booking/v1/bookings", post({ ...place, ...ada }, staff)),
    { params: Promise.resolve({ path: ["v1", "bookings"] }) }
  ])
  expect(response.status).toBe(201)
  expect((await GET(at("/booking/v1/bookings", { headers: staff }))).status).toBe(200)
})
