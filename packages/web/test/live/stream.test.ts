/** Tests the dashboard's event stream over HTTP: which clients receive it, which events it sends, and when it ends. */
import type { StaffMember } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import type { HostAuthenticator } from "../../src/signIn/StaffAuth.ts"
import { open, type Outfitter, type TestServer } from "./TestServer.ts"

/** Opens a stream the way a browser does. */
const listen = async (server: TestServer, cookie: string) => {
  const controller = new AbortController()
  const response = await fetch(`${server.url}/dashboard/stream`, {
    headers: { cookie, accept: "text/event-stream" },
    signal: controller.signal,
    redirect: "manual"
  })
  const reader = response.body?.getReader()
  const text = new TextDecoder()
  let rest = ""
  /** Returns the next comment or event data, or undefined at the end of the stream. */
  const next = async (): Promise<string | undefined> => {
    while (!rest.includes("\n\n")) {
      const { done, value } = await reader?.read() ?? { done: true }
      if (done) return undefined
      rest += text.decode(value, { stream: true })
    }
    const at = rest.indexOf("\n\n")
    const piece = rest.slice(0, at)
    rest = rest.slice(at + 2)
    return piece
  }
  return { response, next, leave: () => controller.abort() }
}

const numberIn = (piece: string | undefined): number => Number(/^data: (\d+)$/.exec(piece ?? "")?.[1] ?? Number.NaN)

/** Returns a staff member, as the host application's sign-in would. */
const memberOf = (id: string, orgId: string): StaffMember => ({
  id,
  orgId,
  email: `${id}@example.com`,
  name: id,
  role: "owner",
  notify: false,
  createdAt: Instant.min
})

const change = ({ call }: Outfitter) => call("offerings.create", { name: "Kayak", kind: "rental" })

describe("the dashboard stream", () => {
  let server: TestServer
  beforeEach(async () => {
    server = await open()
  })
  afterEach(() => server.end())

  it("sends only the change counter", async () => {
    const { next, response } = await listen(server, await server.here.signIn())
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream; charset=utf-8")
    assert.strictEqual(response.headers.get("cache-control"), "no-store, no-transform")
    assert.isNull(response.headers.get("content-encoding"))
    assert.strictEqual(await next(), ":")
    const before = numberIn(await next())
    await change(server.here)
    await change(server.here)
    await server.pass(1000)
    assert.strictEqual(numberIn(await next()), before + 2)
  })

  it("also reports changes that create no event", async () => {
    const { next } = await listen(server, await server.here.signIn())
    await next()
    const before = numberIn(await next())
    await server.here.call("saved_replies.create", { title: "Towel", body: "Bring a towel." })
    await server.pass(1000)
    assert.strictEqual(numberIn(await next()), before + 1)
  })

  it("does not report another outfitter's changes", async () => {
    const { next } = await listen(server, await server.here.signIn())
    await next()
    const before = numberIn(await next())
    await change(server.there)
    await server.pass(1000)
    await change(server.here)
    await server.pass(1000)
    assert.strictEqual(numberIn(await next()), before + 1)
  })

  it("sends a keep-alive every 20 seconds", async () => {
    const { next } = await listen(server, await server.here.signIn())
    await next()
    assert.isNotNaN(numberIn(await next()))
    await server.pass(20_000)
    assert.strictEqual(await next(), ":")
  })

  it("requires a signed-in user", async () => {
    for (const cookie of ["", "tb_login=nobodys"]) {
      const { response } = await listen(server, cookie)
      assert.strictEqual(response.status, 401)
    }
  })

  it("ends when the sign-in session is revoked", async () => {
    const { next } = await listen(server, await server.here.signIn())
    await next()
    await next()
    await server.here.endLogins()
    await server.pass(1000)
    assert.isUndefined(await next())
  })

  it("ends after half an hour", async () => {
    const { next } = await listen(server, await server.here.signIn())
    await next()
    await next()
    await server.pass(30 * 60_000)
    let piece = await next()
    while (piece === ":") piece = await next()
    assert.isUndefined(piece)
  })

  it("ends cleanly when the server shuts down", async () => {
    const { next } = await listen(server, await server.here.signIn())
    await next()
    await next()
    const over = server.end()
    assert.isUndefined(await next())
    await over
    server = await open()
  })

  it("limits each sign-in session to 12 open streams", async () => {
    const cookie = await server.here.signIn()
    const all = []
    for (let nth = 0; nth < 12; nth++) {
      const one = await listen(server, cookie)
      assert.strictEqual(await one.next(), ":", String(nth))
      all.push(one)
    }
    const { response } = await listen(server, cookie)
    assert.strictEqual(response.status, 429)
    assert.strictEqual(response.headers.get("retry-after"), "30")
    assert.strictEqual((await listen(server, await server.here.signIn())).response.status, 200)
    all[0]?.leave()
    // The server frees the slot only after it notices the disconnect.
    let again = await listen(server, cookie)
    while (again.response.status === 429) again = await listen(server, cookie)
    assert.strictEqual(again.response.status, 200)
  })

  it("rechecks a host application user's sign-in after each change", async () => {
    let isIn = true
    const host: HostAuthenticator = (request) => {
      const id = request.headers.get("cookie") ?? ""
      return Effect.succeed(isIn && id !== "" ? memberOf(id, within.here.id) : undefined)
    }
    await server.end()
    const within = await open([], host)
    server = within
    for (let nth = 0; nth < 12; nth++) assert.strictEqual(await (await listen(within, "ann")).next(), ":")
    assert.strictEqual((await listen(within, "ann")).response.status, 429)
    const { next } = await listen(within, "bo")
    assert.strictEqual(await next(), ":")
    const before = numberIn(await next())
    for (let nth = 1; nth < 3; nth++) {
      await change(within.here)
      await within.pass(1000)
      assert.strictEqual(numberIn(await next()), before + nth)
    }
    isIn = false
    await change(within.here)
    await within.pass(1000)
    assert.isUndefined(await next())
  })

  it("is logged when it ends, and is not opened by HEAD requests", async () => {
    const cookie = await server.here.signIn()
    for (let times = 0; times < 20; times++) {
      const { status } = await fetch(`${server.url}/dashboard/stream`, { method: "HEAD", headers: { cookie } })
      assert.strictEqual(status, 200)
    }
    const { leave, next } = await listen(server, cookie)
    await next()
    assert.isFalse(server.log.some(({ method, op }) => op === "dashboard.stream" && method === "GET"))
    leave()
    await server.end()
    const entries = server.log.filter(({ method, op }) => op === "dashboard.stream" && method === "GET")
    assert.deepStrictEqual(
      entries.map(({ code, level, org_id, route, status }) => [level, status, route, org_id, code]),
      [
        ["info", 200, "/dashboard/stream", server.here.id, undefined]
      ]
    )
    server = await open()
  })
})
