/** An application that was not allowed to see what guests gave sees nothing of it, by any tool, resource or prompt. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Actor, host } from "@trailbook/core/actor/Actor"
import { Grants } from "@trailbook/core/application/Grants"
import { challengeOf } from "@trailbook/core/application/pkce"
import { operations } from "@trailbook/core/operation/layer"
import { isReadOnly, toolName } from "@trailbook/core/operation/Operation"
import { Registry } from "@trailbook/core/operation/Registry"
import { isAboutGuests } from "@trailbook/core/operation/showsGuests"
import { Ids } from "@trailbook/core/port/Ids"
import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { open, type World } from "./World.ts"

const canary = /canary/i

let world: World
let bookingId: string
beforeAll(async () => {
  world = await open()
  bookingId = await world.run(
    Effect.gen(function*() {
      const { run } = yield* Registry
      const made = (name: string, input: object) =>
        Effect.map(run(name, input), (json) => json as { readonly id: string })
      const { id: offering_id } = yield* made("offerings.create", { name: "Raft", kind: "class", price_cents: 100 })
      const starts_at = "2027-06-06T15:00:00Z"
      const sessions = yield* run("sessions.create", { offering_id, starts_at })
      const session_id = /"id":"([^"]+)"/.exec(JSON.stringify(sessions))?.[1] ?? ""
      return yield* made("bookings.create", {
        offering_id,
        session_id,
        customer: { email: "canary@canary.example", name: "Canary", phone: "+1 canary" },
        notes: "canary"
      })
    }).pipe(Effect.provideService(Actor, host({ orgId: world.here.id })))
  ).then(({ id }) => id)
})
afterAll(() => world.close())

const connected = async (personal: boolean) => {
  const token = await world.run(Effect.gen(function*() {
    const grants = yield* Grants
    const ids = yield* Ids
    const { id: orgId } = world.here
    const [owner] = yield* (yield* StaffMembers).list(orgId)
    const verifier = "v".repeat(43)
    const redirectUri = "https://a.example/cb"
    const at = Instant.make(0)
    const scopes = ["read", "write", "admin"] as const
    const code = yield* grants.approve({
      orgId,
      staffId: owner?.id ?? "",
      application: { clientId: "app", name: "", redirectUris: [redirectUri], createdAt: at, readAt: at },
      request: {
        clientId: "app",
        redirectUri,
        state: undefined,
        challenge: challengeOf(ids, verifier),
        scopes,
        resource: `${world.root}/mcp`
      },
      scopes,
      personal
    })
    return (yield* grants.redeem({ code, clientId: "app", redirectUri, verifier })).accessToken
  }))
  const client = new Client({ name: "test", version: "1" })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.root}/mcp`), { requestInit }))
  return client
}

const inputs: Readonly<Record<string, object>> = { bookings_get: { id: "" }, bookings_list: {}, sessions_list: {} }

it("sees no guest in any answer, and is shown no tool that is about them", async () => {
  const client = await connected(false)
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  const expected = operations.filter(({ name }) => !isAboutGuests(name)).map(toolName)
  assert.sameMembers(names, expected)
  const said: Array<string> = [client.getInstructions() ?? ""]
  for (const name of names) {
    const operation = operations.find((one) => toolName(one) === name)
    if (operation === undefined || !isReadOnly(operation)) continue
    const given = name === "bookings_get" ? { id: bookingId } : inputs[name] ?? {}
    said.push(JSON.stringify(await client.callTool({ name, arguments: { ...given } })))
  }
  said.push(JSON.stringify(await client.callTool({ name: "bookings_cancel", arguments: { id: bookingId } })))
  const { resources } = await client.listResources()
  for (const { uri } of resources) said.push(JSON.stringify(await client.readResource({ uri })))
  assert.isAbove(said.length, 8)
  assert.isTrue(said.some((text) => text.includes(bookingId)))
  for (const text of said) assert.notMatch(text, canary)
  for (const name of ["customers_list", "conversations_list", "events_list", "org_export", "proposals_list"]) {
    const refused = JSON.stringify(await client.callTool({ name, arguments: {} }))
    assert.include(refused, "forbidden", name)
    assert.notMatch(refused, canary)
  }
  await client.close()
})

it("with the tick it sees them", async () => {
  const client = await connected(true)
  assert.strictEqual((await client.listTools()).tools.length, operations.length)
  assert.match(JSON.stringify(await client.callTool({ name: "customers_list", arguments: {} })), canary)
  assert.match(JSON.stringify(await client.callTool({ name: "bookings_get", arguments: { id: bookingId } })), canary)
  await client.close()
})
