import { assert, describe, it } from "vitest"
import {
  type Actor,
  isAssistant,
  makeHostActor,
  sources,
  toDecisionSource,
  toMessageAuthor,
  toSource,
  withAssistantSource
} from "../../src/actor/Actor.ts"

const of = { orgId: "org", scopes: new Set<never>() }
const key = { ...of, _tag: "Key", keyId: "key", source: "api" } as const
const staff = { ...of, _tag: "Staff", staffId: "staff" } as const
const application = { ...of, _tag: "Application", grantId: "grant", personal: true } as const
const guest = { ...of, _tag: "Guest", bookingId: "booking" } as const
const visitor = { ...of, _tag: "Visitor", source: "widget" } as const
const agent = { ...of, _tag: "Agent", proposalId: "proposal" } as const

const authorsOf = (actor: Exclude<Actor["Type"], typeof guest | typeof visitor>) => [
  toSource(actor),
  toMessageAuthor(actor),
  actor._tag === "Guest" || actor._tag === "Visitor" ? undefined : toDecisionSource(actor)
]

describe("the recorded author", () => {
  it("is derived from the actor", () => {
    assert.deepStrictEqual(authorsOf(key), ["api", "api", "api"])
    assert.deepStrictEqual(authorsOf({ ...key, source: "mcp" }), ["mcp", "mcp", "mcp"])
    assert.deepStrictEqual(authorsOf(application), ["mcp", "mcp", "mcp"])
    assert.deepStrictEqual(authorsOf(staff), ["dashboard", "dashboard", "dashboard"])
    assert.deepStrictEqual(authorsOf(agent), ["dashboard", "agent", "agent"])
    assert.deepStrictEqual([toSource(guest), toMessageAuthor(guest)], ["widget", "guest"])
    assert.deepStrictEqual([toSource(visitor), toMessageAuthor(visitor)], ["widget", "guest"])
    assert.deepStrictEqual([toSource(withAssistantSource(visitor)), toMessageAuthor(withAssistantSource(visitor))], [
      "mcp",
      "guest"
    ])
  })

  it("is the host application's source, or 'api' for the widget", () => {
    const hosts = sources.map((source) => makeHostActor({ orgId: "org", source }))
    assert.deepStrictEqual(hosts.map(toSource), [...sources])
    assert.deepStrictEqual(hosts.map(toMessageAuthor), ["dashboard", "api", "mcp", "api"])
    assert.deepStrictEqual(hosts.map(toDecisionSource), ["dashboard", "api", "mcp", "api"])
    assert.strictEqual(toSource(makeHostActor({ orgId: "org" })), "api")
  })

  it("is the assistant if a key, host, or visitor uses MCP", () => {
    for (const actor of [key, makeHostActor({ orgId: "org", source: "widget" }), visitor]) {
      assert.deepStrictEqual(withAssistantSource(actor), { ...actor, source: "mcp" })
      assert.isTrue(isAssistant(withAssistantSource(actor)))
      assert.isFalse(isAssistant(actor))
    }
    for (const actor of [application, staff, guest, agent]) assert.strictEqual(withAssistantSource(actor), actor)
    assert.deepStrictEqual([application, staff, guest, visitor, agent].map(isAssistant), [
      true,
      false,
      false,
      false,
      false
    ])
  })
})
