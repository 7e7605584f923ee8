/** Tests that invalid OAuth requests get the expected page or error, and write nothing. */
import { Grants } from "@trailbook/core/oauth"
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Browser } from "./Browser.ts"
import { approve, submitDecision } from "./connect.ts"
import { open, type World } from "./World.ts"

const redirect = "https://assistant.example.com/callback"
const verifier = "v".repeat(43)
const challenge = createHash("sha256").update(verifier).digest("base64url")

let world: World
beforeAll(async () => {
  world = await open()
})
afterAll(() => world.close())

const json = async (path: string, body: unknown, headers = {}) => {
  const response = await fetch(world.root + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers }
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const form = async (path: string, fields: Readonly<Record<string, string>>) => {
  const response = await fetch(world.root + path, { method: "POST", body: new URLSearchParams(fields) })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const register = async (name = "Assistant", redirects: ReadonlyArray<string> = [redirect]) =>
  (await json("/register", { client_name: name, redirect_uris: redirects })).body.client_id as string

const authorizeUrl = (client: string, fields: Readonly<Record<string, string | undefined>> = {}) => {
  const all = {
    client_id: client,
    redirect_uri: redirect,
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
    scope: "read write",
    state: "s",
    resource: `${world.root}/mcp`,
    ...fields
  }
  const search = new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => value === undefined ? [] : [[name, value]])
  )
  return `${world.root}/authorize?${search.toString()}`
}

const codeOf = async (client: string, outfitter = world.here, ticks?: Readonly<Record<string, string>>) =>
  (await approve(await world.signedIn(outfitter), authorizeUrl(client), ticks)).searchParams.get("code") ?? ""

const redeem = (client: string, code: string, fields: Readonly<Record<string, string>> = {}) =>
  form("/token", {
    grant_type: "authorization_code",
    client_id: client,
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
    ...fields
  })

const call = (token: string, name = "offerings_list", args: object = {}) =>
  json("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }, {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream"
  })

describe("the sign-in", () => {
  it("responds identically to known and unknown email addresses", async () => {
    const requestLink = async (email: string) => {
      const { headers, html, status } = await new Browser(world.root).post("/sign-in", { email })
      return { status, cookie: headers.get("set-cookie"), html: html.replaceAll(email, "…") }
    }
    const response = await requestLink(world.here.owner)
    assert.deepStrictEqual(await requestLink("stranger@example.com"), response)
    assert.strictEqual(response.status, 200)
    const mails = await untilMailed(1)
    assert.deepStrictEqual(mails.map(({ to }) => to), [world.here.owner])
  })

  it("requires a click after the emailed link is opened", async () => {
    const client = await register()
    const browser = new Browser(world.root)
    const first = await browser.get(authorizeUrl(client))
    assert.strictEqual(first.status, 303)
    const next = new URL(first.onTo ?? "").searchParams.get("next") ?? ""
    assert.match(next, /^\/authorize\?/)
    const before = (await world.mails()).length
    await browser.post("/sign-in", { email: world.there.owner, next })
    const { url } = (await untilMailed(before + 1)).at(-1) ?? { url: "" }
    const tables = await world.tables()
    for (let visit = 0; visit < 3; visit++) assert.strictEqual((await new Browser(world.root).get(url)).status, 200)
    assert.strictEqual(await world.tables(), tables)
    const foreign = await new Browser(world.root).post(url, {}, { "sec-fetch-site": "cross-site" })
    assert.strictEqual(foreign.status, 403)
    const signedIn = await browser.post(url, {})
    assert.deepStrictEqual([signedIn.status, signedIn.onTo], [303, world.root + next])
    assert.match(signedIn.headers.get("set-cookie") ?? "", /; HttpOnly; SameSite=Lax/)
    for (const page of [await browser.get(url), await new Browser(world.root).post(url, {})]) {
      assert.strictEqual(page.status, 410)
      assert.isNull(page.headers.get("set-cookie"))
    }
    assert.strictEqual((await browser.get(signedIn.onTo ?? "")).status, 200)
  })

  it("does not redirect to another site", async () => {
    const browser = await world.signedIn(world.here)
    for (
      const next of [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/dashboard/../..//evil.example",
        "/dashboard\n",
        "javascript:alert(1)",
        "/sign-out"
      ]
    ) {
      const { onTo } = await browser.get(`/sign-in?${new URLSearchParams({ next }).toString()}`)
      assert.strictEqual(onTo, `${world.root}/dashboard`, next)
    }
  })

  it("is limited to 5 requests per network address in 15 minutes", async () => {
    const from = { "x-test-address": "192.0.2.7", "sec-fetch-site": "same-origin" }
    const ask = async () => (await new Browser(world.root).post("/sign-in", { email: "a@example.com" }, from)).status
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push(await ask())
    assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200, 429])
    await world.pass(15 * 60_000)
    assert.strictEqual(await ask(), 200)
  })

  it("sends at most 5 emails to one mailbox from all networks", async () => {
    await world.pass(15 * 60_000)
    const before = (await world.mails()).length
    for (let n = 0; n < 8; n++) await new Browser(world.root).post("/sign-in", { email: world.there.guide })
    await new Browser(world.root).post("/sign-in", { email: world.there.owner })
    const mails = (await untilMailed(before + 6)).slice(before)
    assert.strictEqual(mails.filter(({ to }) => to === world.there.guide).length, 5)
  })

  it("is no longer valid after sign-out", async () => {
    const browser = await world.signedIn(world.here)
    const { cookie } = browser
    const client = await register()
    assert.strictEqual((await browser.get(authorizeUrl(client))).status, 200)
    await browser.post("/sign-out", {})
    const stolen = await fetch(authorizeUrl(client), { headers: { cookie }, redirect: "manual" })
    assert.strictEqual(stolen.status, 303)
  })
})

describe("an invalid authorization request", () => {
  it.each([
    ["it has no client ID", { client_id: undefined }, /client_id: is missing/],
    ["the client is unknown", { client_id: "app_0" }, /client_id: is unknown/],
    [
      "the redirect URI is not registered",
      { redirect_uri: "https://evil.example/cb" },
      /redirect_uri: is not registered/
    ],
    ["the response type is unsupported", { response_type: "token" }, /response_type/],
    ["it has no code challenge", { code_challenge: undefined }, /code_challenge: is missing/],
    ["the code challenge method is plain", { code_challenge_method: "plain" }, /code_challenge_method/],
    ["the resource belongs to another server", { resource: "https://other.example/mcp" }, /resource: must be/],
    ["the scope is only for staff pages", { scope: "staff" }, /scope: must contain/]
  ])("shows an error page without redirecting if %s", async (_what, fields, expected) => {
    const client = await register("Never let in", [redirect, "com.example.app:/cb"])
    for (const browser of [new Browser(world.root), await world.signedIn(world.here)]) {
      const { html, onTo, status } = await browser.get(authorizeUrl(client, fields))
      assert.strictEqual(status, 400)
      assert.isUndefined(onTo)
      assert.match(html, expected)
    }
  })

  it("links back to an approved application only for an owner", async () => {
    const mistaken = async (client: string, browser: Browser) => {
      const { html, onTo, status } = await browser.get(authorizeUrl(client, { response_type: "token" }))
      assert.strictEqual(status, 400)
      assert.isUndefined(onTo)
      assert.match(html, /response_type/)
      return new RegExp(`<a [^>]*href="(${redirect}[^"]*)"`).exec(html)?.[1]?.replaceAll("&amp;", "&")
    }
    const client = await register("Let in")
    await codeOf(client, world.there)
    assert.isUndefined(await mistaken(client, new Browser(world.root)))
    assert.isUndefined(await mistaken(client, await world.signedIn(world.here, world.here.guide)))
    const owner = await world.signedIn(world.here)
    assert.isUndefined(await mistaken(await register("Never approved"), owner))
    const back = new URL(await mistaken(client, owner) ?? "")
    assert.strictEqual(back.origin + back.pathname, redirect)
    assert.deepInclude(Object.fromEntries(back.searchParams), {
      error: "unsupported_response_type",
      state: "s",
      iss: world.root
    })
  })

  it("is refused if it repeats client_id", async () => {
    const client = await register()
    const { status } = await (await world.signedIn(world.here)).get(`${authorizeUrl(client)}&redirect_uri=${redirect}`)
    // A repeated parameter counts as missing. The client registered a single redirect URI, which is therefore the
    // default.
    assert.strictEqual(status, 200)
    const twice = await (await world.signedIn(world.here)).get(`${authorizeUrl(client)}&client_id=${client}`)
    assert.strictEqual(twice.status, 400)
  })
})

describe("the consent page", () => {
  it("can be used only by owners", async () => {
    const client = await register()
    const guide = await world.signedIn(world.here, world.here.guide)
    const page = await guide.get(authorizeUrl(client))
    assert.strictEqual(page.status, 403)
    assert.include(page.html, "Ask an owner")
    const forced = await guide.post(authorizeUrl(client), { decision: "allow", read: "yes" })
    assert.deepStrictEqual([forced.status, forced.onTo], [403, undefined])
  })

  it("shows the application's host first, and guest access unchecked", async () => {
    const client = await register("Your bank <b>", ["http://127.0.0.1:1234/cb"])
    const url = authorizeUrl(client, { redirect_uri: "http://127.0.0.1:5555/cb" })
    const { headers, html } = await (await world.signedIn(world.here)).get(url)
    assert.isBelow(html.indexOf("127.0.0.1:5555"), html.indexOf("Your bank &lt;b>"))
    assert.include(html, "Continue only if you started that application yourself")
    assert.match(html, /name="read" value="yes" checked/)
    assert.match(html, /name="personal" value="yes"\/?>/)
    assert.notInclude(html, `name="admin"`)
    assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
    assert.include(headers.get("content-security-policy") ?? "", "form-action 'self'")
  })

  it("requires a requested scope, and returns a denial as an error", async () => {
    const client = await register()
    const browser = await world.signedIn(world.here)
    const tables = await world.tables()
    const empty = await submitDecision(browser, authorizeUrl(client), { decision: "allow", personal: "yes" })
    assert.deepStrictEqual([empty.status, empty.onTo], [422, undefined])
    // A scope that was not requested cannot be granted.
    const refusal = await submitDecision(browser, authorizeUrl(client, { scope: "read" }), {
      decision: "allow",
      admin: "yes"
    })
    assert.strictEqual(refusal.status, 422)
    const no = await submitDecision(browser, authorizeUrl(client), { decision: "deny", read: "yes" })
    assert.strictEqual(no.status, 200)
    assert.strictEqual(new URL(no.onTo ?? "").searchParams.get("error"), "access_denied")
    assert.strictEqual(await world.tables(), tables)
  })

  it("refuses a form submitted by another site", async () => {
    const client = await register()
    const browser = await world.signedIn(world.here)
    const tables = await world.tables()
    for (
      const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, { origin: "null" }]
    ) {
      const { onTo, status } = await browser.post(authorizeUrl(client), { decision: "allow", read: "yes" }, headers)
      assert.deepStrictEqual([status, onTo], [403, undefined])
    }
    assert.strictEqual(await world.tables(), tables)
  })
})

describe("tokens", () => {
  it.each([
    ["the ID of another client", { client_id: "app_1" }, "invalid_grant"],
    ["another redirect URI", { redirect_uri: "https://evil.example/cb" }, "invalid_grant"],
    ["an incorrect code verifier", { code_verifier: "w".repeat(43) }, "invalid_grant"],
    ["a code verifier that is too short", { code_verifier: "w" }, "invalid_request"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["an unknown code", { code: "tb_code_0" }, "invalid_grant"],
    ["an unsupported grant type", { grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["the password grant type", { grant_type: "password" }, "unsupported_grant_type"]
  ])("are not issued for %s", async (_what, fields, error) => {
    const client = await register()
    const code = await codeOf(client)
    const { body, headers, status } = await redeem(client, code, fields)
    assert.deepStrictEqual([status, body.error], [400, error])
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.strictEqual((await redeem(client, code)).status, 200)
  })

  it.each([
    [{ grant_type: "authorization_code", code: "c", code_verifier: verifier }],
    [{ client_id: "a", code: "c", code_verifier: verifier }],
    [{ client_id: "a", grant_type: "authorization_code", code_verifier: verifier }],
    [{ client_id: "a", grant_type: "authorization_code", code: "c" }],
    [{ client_id: "a", grant_type: "refresh_token" }]
  ])("are not issued if a required field is missing: %j", async (fields) => {
    const { body, status } = await form("/token", fields)
    assert.deepStrictEqual([status, body.error], [400, "invalid_request"])
  })

  it("require a code that is used once, within a minute", async () => {
    const client = await register()
    const late = await codeOf(client)
    await world.pass(60_000)
    assert.strictEqual((await redeem(client, late)).body.error, "invalid_grant")
    const code = await codeOf(client)
    const { body: tokens } = await redeem(client, code)
    assert.strictEqual((await call(tokens.access_token)).status, 200)
    assert.strictEqual((await redeem(client, code)).body.error, "invalid_grant")
    assert.strictEqual((await call(tokens.access_token)).status, 401)
    const again = await form("/token", {
      grant_type: "refresh_token",
      client_id: client,
      refresh_token: tokens.refresh_token
    })
    assert.strictEqual(again.body.error, "invalid_grant")
  })

  it("allow concurrent refreshes, but are revoked if an old refresh token is reused", async () => {
    const client = await register()
    const { body } = await redeem(client, await codeOf(client))
    const refresh = () =>
      form("/token", { grant_type: "refresh_token", client_id: client, refresh_token: body.refresh_token })
    const three = await Promise.all([refresh(), refresh(), refresh()])
    for (const { body, status } of three) {
      assert.strictEqual(status, 200)
      assert.strictEqual((await call(body.access_token)).status, 200)
    }
    await world.pass(120_000)
    assert.strictEqual((await refresh()).body.error, "invalid_grant")
    for (const { body } of three) assert.strictEqual((await call(body.access_token)).status, 401)
  })

  it("give access only to their own outfitter's MCP endpoint", async () => {
    const client = await register()
    const ownToken = (await redeem(client, await codeOf(client, world.here))).body.access_token
    const foreignToken = (await redeem(client, await codeOf(client, world.there))).body.access_token
    const ownText = JSON.stringify((await call(ownToken)).body)
    const foreignText = JSON.stringify((await call(foreignToken)).body)
    assert.include(ownText, "Kayak of Salida")
    assert.notInclude(ownText, "Nordfjord")
    assert.include(foreignText, "Kayak of Nordfjord")
    assert.notInclude(foreignText, "Salida")
    const foreignId = /"id":"([^"]+)"/.exec(foreignText.replaceAll("\\", ""))?.[1] ?? ""
    const rejection = JSON.stringify((await call(ownToken, "offerings_get", { id: foreignId })).body)
    assert.include(rejection, "not_found")
    const rest = await fetch(`${world.root}/v1/offerings`, { headers: { authorization: `Bearer ${ownToken}` } })
    assert.strictEqual(rest.status, 401)
  })

  it("are rejected with a link to the metadata and any missing scope", async () => {
    const client = await register()
    const token = (await redeem(client, await codeOf(client, world.here, { read: "yes" }))).body.access_token
    const { body, headers, status } = await call(token, "offerings_create", { name: "Raft", kind: "rental" })
    assert.deepStrictEqual([status, body.error.code], [403, "forbidden"])
    assert.strictEqual(
      headers.get("www-authenticate"),
      `Bearer resource_metadata="${world.root}/.well-known/oauth-protected-resource/mcp", ` +
        `error="insufficient_scope", scope="read write"`
    )
    for (const wrong of ["", "tb_access_0", `${token}0`]) {
      const { headers, status } = await call(wrong)
      assert.strictEqual(status, 401)
      assert.include(headers.get("www-authenticate") ?? "", `resource_metadata="${world.root}/.well-known/`)
    }
  })

  it("are refused immediately after the outfitter or the application revokes them", async () => {
    const client = await register("Withdrawn")
    const { body: tokens } = await redeem(client, await codeOf(client))
    const grants = await world.run(Grants)
    const grant = (await world.run(grants.list(world.here.id))).find(({ name }) => name === "Withdrawn")
    await world.run(grants.withdraw({ orgId: world.here.id, id: grant?.id ?? "", by: { _tag: "Operator" } }))
    assert.strictEqual((await call(tokens.access_token)).status, 401)
    const { body: later } = await redeem(client, await codeOf(client))
    const revoke = (client_id: string) => form("/revoke", { client_id, token: later.refresh_token })
    assert.strictEqual((await revoke("app_other")).status, 200)
    assert.strictEqual((await call(later.access_token)).status, 200)
    assert.strictEqual((await revoke(client)).status, 200)
    assert.strictEqual((await call(later.access_token)).status, 401)
    assert.strictEqual((await form("/revoke", { client_id: client, token: "nothing" })).status, 200)
  })
})

describe("client registration", () => {
  it("returns the same ID for the same application", async () => {
    const id = await register("Same")
    assert.strictEqual(await register("Same"), id)
    assert.notStrictEqual(await register("Other"), id)
    const { body, status } = await json("/register", { client_name: "Same", redirect_uris: [redirect] })
    assert.strictEqual(status, 201)
    assert.strictEqual(body.registration_client_uri, `${world.root}/register/${id}`)
    const metadata = await fetch(body.registration_client_uri)
    assert.deepStrictEqual(await metadata.json(), body)
    assert.strictEqual((await fetch(`${world.root}/register/app_0`)).status, 404)
  })

  it("is limited to 20 registrations per network address per hour", async () => {
    const from = { "x-test-address": "192.0.2.8" }
    const statuses = new Set<number>()
    for (let n = 0; n < 20; n++) statuses.add((await json("/register", { redirect_uris: [redirect] }, from)).status)
    assert.deepStrictEqual([...statuses], [201])
    const { body, status } = await json("/register", { redirect_uris: [redirect] }, from)
    assert.deepStrictEqual([status, body.error], [429, "invalid_request"])
  })

  it.each([
    [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["http://example.com/cb"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["feed:https://example.com/cb"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["ms-settings:privacy"] }, "invalid_redirect_uri"],
    [{ redirect_uris: [`${redirect}\n`] }, "invalid_redirect_uri"],
    [{ redirect_uris: [redirect], client_name: "Assistant\n\u202Eknab" }, "invalid_client_metadata"],
    [{ redirect_uris: [redirect], token_endpoint_auth_method: "client_secret_basic" }, "invalid_client_metadata"],
    [{}, "invalid_redirect_uri"]
  ])("rejects the metadata %j", async (metadata, error) => {
    const { body, status } = await json("/register", metadata)
    assert.deepStrictEqual([status, body.error], [400, error])
  })

  it("reloads metadata documents daily, and keeps the last valid version", async () => {
    const url = "https://app.example.net/client.json"
    const describe = (redirects: ReadonlyArray<string>) =>
      world.publish(url, { client_id: url, client_name: "By document", redirect_uris: redirects })
    const authorizeStatus = async () => (await new Browser(world.root).get(authorizeUrl(url))).status
    assert.strictEqual(await authorizeStatus(), 400)
    describe([redirect])
    assert.strictEqual(await authorizeStatus(), 303)
    describe(["https://elsewhere.example/cb"])
    assert.strictEqual(await authorizeStatus(), 303)
    await world.pass(24 * 3_600_000)
    assert.strictEqual(await authorizeStatus(), 400)
    describe([redirect])
    await world.pass(24 * 3_600_000)
    assert.strictEqual(await authorizeStatus(), 303)
    await world.pass(24 * 3_600_000)
    world.unpublish(url)
    assert.strictEqual(await authorizeStatus(), 303)
    world.publish(url, { client_id: `${url}?other`, redirect_uris: ["https://evil.example/cb"] })
    assert.strictEqual(await authorizeStatus(), 303)
  })
})

/** Waits for emails, which are sent asynchronously. Each iteration yields to the event loop. */
const untilMailed = async (count: number) => {
  for (let looks = 0; looks < 10_000; looks++) {
    const mails = await world.mails()
    if (mails.length >= count) return mails
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error("Too few emails were sent.")
}
