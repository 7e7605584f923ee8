/**
 * Tests the links that `org_export` returns. A link works only once, only until it expires, and only while its caller
 * may still export.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Actor, ApiKeys, type ApiKeyScope, makeHostActor } from "@trailbook/core/actor"
import { Grants, toCodeChallenge } from "@trailbook/core/oauth"
import { Registry } from "@trailbook/core/operation"
import { Ids } from "@trailbook/core/port"
import { AuditLog, StaffMembers } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type World } from "./World.ts"

const minuteMs = 60_000

let world: World

beforeAll(async () => {
  world = await open()
})
afterAll(() => world.close())

const requestExport = async (token: string, fields: object = {}) => {
  const client = new Client({ name: "test", version: "1" })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.root}/mcp`), { requestInit }))
  const { content, isError, structuredContent } = await client.callTool({
    name: "org_export",
    arguments: { ...fields }
  })
  await client.close()
  const [first] = content as ReadonlyArray<{ readonly text: string }>
  return { text: first?.text ?? "", isError, data: structuredContent as Readonly<Record<string, string>> }
}

/** Approves an application as a new owner. */
const approveApp = ({ personal = true, scopes = ["read", "admin"] }: {
  readonly personal?: boolean
  readonly scopes?: ReadonlyArray<ApiKeyScope>
} = {}) =>
  world.run(Effect.gen(function*() {
    const grants = yield* Grants
    const ids = yield* Ids
    const { id: orgId } = world.here
    const email = `${ids.uuid()}@salida.example`
    const { id: staffId } = yield* (yield* StaffMembers).add({ orgId, email, role: "owner", by: { _tag: "Operator" } })
    const verifier = "v".repeat(43)
    const redirectUri = "https://a.example/cb"
    const at = Instant.make(0)
    const code = yield* grants.approve({
      orgId,
      staffId,
      application: { clientId: "app", name: "App", redirectUris: [redirectUri], createdAt: at, readAt: at },
      request: {
        clientId: "app",
        redirectUri,
        state: undefined,
        challenge: toCodeChallenge(ids, verifier),
        scopes,
        resource: `${world.root}/mcp`
      },
      scopes,
      personal
    })
    const { accessToken: token } = yield* grants.redeem({ code, clientId: "app", redirectUri, verifier })
    const { grantId } = yield* grants.verify(token)
    return { token, staffId, grantId }
  }))

const createKey = (scopes: ReadonlyArray<ApiKeyScope>) =>
  world.run(Effect.flatMap(ApiKeys, ({ create }) => create({ orgId: world.here.id, name: "Desk", scopes })))

const linkOf = async (token: string): Promise<string> => (await requestExport(token)).data.url ?? ""

const statusOf = async (url: string, method = "GET") => {
  const response = await fetch(url, { method })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

const loadAuditedExports = () =>
  world.run(
    Effect.flatMap(AuditLog, ({ page }) =>
      Effect.map(
        page({ orgId: world.here.id, before: undefined, limit: 200 }),
        (all) => all.filter(({ what }) => what === "org.exported")
      ))
  )

describe("an export link", () => {
  it("works once, and is recorded as an export by its application", async () => {
    const { grantId, token } = await approveApp()
    const { data, text } = await requestExport(token)
    assert.match(data.url ?? "", new RegExp(`^${world.root}/exports/`))
    assert.match(data.expires_local ?? "", /^Sat 2027-06-05 08:10$/)
    assert.match(data.note ?? "", /works once/)
    assert.notProperty(data, "customers")
    for (const name of ["url", "expires_local", "note"]) assert.include(text, data[name] ?? name)
    const { length } = await loadAuditedExports()

    assert.strictEqual((await statusOf(data.url ?? "", "HEAD")).status, 405)
    const { headers, status, text: file } = await statusOf(data.url ?? "")
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.match(headers.get("content-disposition") ?? "", /^attachment/)
    const { offerings, version } = JSON.parse(file)
    assert.strictEqual(version, 1)
    assert.lengthOf(offerings, 1)

    const second = await statusOf(data.url ?? "")
    assert.strictEqual(second.status, 410)
    assert.match(second.text, /already been used/)
    const auditedExports = await loadAuditedExports()
    assert.strictEqual(auditedExports.length, length + 1)
    assert.deepStrictEqual(auditedExports[0]?.by, { _tag: "Application", grantId })
  })

  it("serves only one of 64 concurrent downloads", async () => {
    const url = await linkOf((await approveApp()).token)
    const answers = await Promise.all(Array.from({ length: 64 }, () => statusOf(url)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 63 }, () => 410)])
  })

  it("stays usable if it is opened while another export runs", async () => {
    const [url, usedUrl] = [await linkOf((await approveApp()).token), await linkOf((await approveApp()).token)]
    assert.strictEqual((await statusOf(usedUrl)).status, 200)
    const actor = makeHostActor({ orgId: world.here.id })
    const ready = Deferred.unsafeMake<void>(FiberId.none)
    const other = world.run(Effect.gen(function*() {
      const { stream } = yield* Registry
      const emit = () => Effect.zipRight(Deferred.succeed(ready, undefined), Effect.never)
      return yield* Effect.forkDaemon(Effect.provideService(stream("org.export", {}, emit), Actor, actor))
    }))
    await world.run(Deferred.await(ready))
    const { headers, status, text } = await statusOf(url)
    assert.strictEqual(status, 429)
    assert.strictEqual(headers.get("retry-after"), "10")
    assert.include(text, "already running")
    assert.strictEqual((await statusOf(usedUrl)).status, 410)
    await world.run(Fiber.interrupt(await other))
    assert.strictEqual((await statusOf(url)).status, 200)
    assert.strictEqual((await statusOf(url)).status, 410)
  })

  it("expires after 10 minutes", async () => {
    const { token } = await approveApp()
    const [early, late] = [await linkOf(token), await linkOf(token)]
    await world.pass(10 * minuteMs - 1000)
    assert.strictEqual((await statusOf(early)).status, 200)
    await world.pass(1000)
    const { status, text } = await statusOf(late)
    assert.strictEqual(status, 410)
    assert.match(text, /expired/)
  })

  it("is returned only to applications, not to API keys", async () => {
    const { data } = await requestExport((await createKey(["read", "admin"])).token)
    assert.notProperty(data, "url")
    assert.property(data, "offerings")
  })

  it("stops working when its application loses access", async () => {
    const { grantId, token } = await approveApp()
    const demoted = await approveApp()
    const urls = [await linkOf(token), await linkOf(demoted.token)]
    const by = { _tag: "Operator" } as const
    const { id: orgId } = world.here
    await world.run(Effect.flatMap(Grants, ({ withdraw }) => withdraw({ orgId, id: grantId, by })))
    await world.run(
      Effect.flatMap(StaffMembers, ({ change }) => change({ orgId, id: demoted.staffId, role: "staff", by }))
    )
    for (const url of urls) {
      const { status, text } = await statusOf(url)
      assert.strictEqual(status, 403)
      assert.include(text, "\"forbidden\"")
    }
  })

  it("is not found if any part is changed", async () => {
    const url = await linkOf((await approveApp()).token)
    const token = url.slice(url.lastIndexOf("/") + 1)
    const [org = "", expires = "", id = "", random = "", signature = ""] = token.split(".")
    const forged = [
      [world.there.id, expires, id, random, signature],
      [crypto.randomUUID(), expires, id, random, signature],
      [org, String(Number(expires) + 1), id, random, signature],
      [org, expires, `${id}0`, random, signature],
      [org, expires, id, "x".repeat(12), signature],
      [org, expires, id, random, "0".repeat(40)],
      [org, expires, id, random],
      ["%00"]
    ]
    for (const parts of forged) {
      assert.strictEqual((await statusOf(`${world.root}/exports/${parts.join(".")}`)).status, 404, parts.join("."))
    }
    assert.strictEqual((await statusOf(url)).status, 200)
  })

  it("is refused without guest access or the required scope", async () => {
    const refusals = [
      [await requestExport((await approveApp({ personal: false })).token), "forbidden"],
      [await requestExport((await createKey(["read"])).token), "forbidden"],
      [await requestExport((await approveApp()).token, { surprise: 1 }), "invalid_request"]
    ] as const
    for (const [{ data, isError }, code] of refusals) {
      assert.isTrue(isError)
      assert.strictEqual(data.code, code)
      assert.notProperty(data, "url")
    }
  })
})
