/**
 * Runs every operation as every kind of actor with every set of scopes, in core, over REST, and over MCP. Each
 * operation must either succeed, or fail with `forbidden` and change nothing.
 */
import type { Scope } from "@trailbook/core/actor"
import { operations, webPageOperations } from "@trailbook/core/layer"
import { type Operation, toToolName } from "@trailbook/core/operation/Operation"
import type { PageOperation } from "@trailbook/core/operation/PageOperation"
import { staffTools } from "@trailbook/mcp/staff/staffTools"
import { assert, beforeAll, describe, it } from "vitest"
import { actorOf, everyScope, holdings, type Kind, kinds, mayDo, mayRun, refundOperations } from "./actors/kinds.ts"
import { open, type World } from "./actors/world.ts"

const all: ReadonlyArray<Operation.Any> = operations
const ofPages: ReadonlyArray<PageOperation.Any> = webPageOperations

/**
 * Permitted page actions that fail because this world lacks the resource: an uploaded file, mailed link, payment due,
 * application, provider, or failed task.
 */
const nothingThere = new Map([
  ["guest.file", "not_found"],
  ["guest.open", "unauthorized"],
  ["visit.prove", "unauthorized"],
  ["guest.checkout", "not_found"],
  ["staff.withdraw", "not_found"],
  ["staff.endLogin", "not_found"],
  ["staff.connectPayments", "invalid_request"],
  ["staff.disconnectPayments", "invalid_request"],
  ["staff.retryTask", "not_found"],
  // The world has no file storage.
  ["dashboard.add_photo", "unavailable"],
  ["staff.addImage", "unavailable"]
])

/** A webhook sends guest page URLs, which require `write`. */
const secondScopes = new Map<string, ReadonlyArray<Scope>>([["webhooks.create", ["write"]]])

describe("an actor", () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })

  const actors = (kind: Kind) => holdings.map((scopes) => actorOf(kind, { orgId: world.orgId, scopes }))

  it.each(kinds)(
    "%s: cannot run forbidden operations on any path",
    async (kind) => {
      for (const actor of actors(kind)) {
        const before = await world.tables()
        for (const operation of all.filter((one) => !mayRun(actor, one))) {
          for (const [surface, ask] of Object.entries(world.surfaces)) {
            const label = `${[...actor.scopes].join("+")}: ${operation.name} by ${surface}`
            assert.strictEqual(await ask(actor, operation), "forbidden", label)
            assert.strictEqual(await world.tables(), before, label)
          }
        }
      }
    }
  )

  const surfaces = ["core", "REST", "MCP"] as const

  // Each operation runs on all three paths, each time with a different kind of actor.
  it.each(kinds.map((kind, at) => [kind, at] as const))("%s: can run permitted operations", async (kind, at) => {
    for (const [nth, operation] of all.entries()) {
      const scopes = new Set([operation.scope, ...secondScopes.get(operation.name) ?? []])
      const actor = actorOf(kind, { orgId: "", scopes })
      const surface = surfaces[(at + nth) % surfaces.length] ?? "core"
      if (!mayDo(actor, operation.scope)) continue
      const code = await world.surfaces[surface]({ ...actor, orgId: world.orgId }, operation)
      assert.isUndefined(code, `${operation.name} by ${surface}`)
      await world.reset()
    }
  })

  it.each(kinds)("%s: is offered exactly the tools that it can call", async (kind) => {
    for (const actor of actors(kind)) {
      const tools = [...all, ...staffTools.map(({ operation }) => operation)]
      const may = tools.filter((one) => mayRun(actor, one)).map(toToolName)
      assert.sameMembers([...await world.shown(actor)], may)
    }
  })

  it.each(kinds)("%s: can use only permitted page actions", async (kind) => {
    for (const actor of actors(kind)) {
      for (const operation of ofPages) {
        const before = await world.tables()
        const label = `${[...actor.scopes].join("+")}: ${operation.name}`
        if (mayDo(actor, operation.scope)) {
          const code = await world.surfaces.core(actor, operation)
          assert.strictEqual(code, nothingThere.get(operation.name), label)
          await world.reset()
          continue
        }
        const code = await world.surfaces.core(actor, operation)
        assert.strictEqual(code, "forbidden", label)
        assert.strictEqual(await world.tables(), before, label)
      }
    }
  })

  describe.each([false, true])("with staff_may_refund = %s", (isAllowed) => {
    const inputs: Readonly<Record<string, object>> = { "bookings.cancel": { refund: "none" } }
    const refunds = all.filter(({ name }) => refundOperations.has(name) || name in inputs)

    it("can refund only with admin rights or permission", async () => {
      const staff = await world.signIn("staff", isAllowed)
      const owner = await world.signIn("owner", isAllowed)
      const others = kinds.filter((kind) => kind !== "Staff").flatMap((kind) =>
        [everyScope, everyScope.filter((scope) => scope !== "admin")].map((scopes) =>
          [
            actorOf(kind, { orgId: world.orgId, scopes: new Set(scopes) }),
            scopes === everyScope && ["Key", "Host", "Application"].includes(kind)
          ] as const
        )
      )
      assert.lengthOf(refunds, 3)
      for (const [actor, may] of [[staff, isAllowed], [owner, true], ...others] as const) {
        for (const operation of refunds) {
          for (const [surface, ask] of Object.entries(world.surfaces)) {
            const before = await world.tables()
            const code = await ask(actor, operation, { ...inputs[operation.name] })
            const label = `${operation.name} by ${surface} as ${actor._tag} ${[...actor.scopes].join("+")}`
            assert.strictEqual(code, may ? undefined : "forbidden", label)
            if (may) await world.reset()
            else assert.strictEqual(await world.tables(), before, label)
          }
        }
      }
      await world.reset()
    })

    it("gets no other permission", async () => {
      const staff = await world.signIn("staff", isAllowed)
      const before = await world.tables()
      for (const operation of [...all, ...ofPages].filter(({ scope }) => scope === "admin" || scope === "staff")) {
        if (refundOperations.has(operation.name)) continue
        assert.strictEqual(await world.surfaces.core(staff, operation), "forbidden", operation.name)
        assert.strictEqual(await world.tables(), before, operation.name)
      }
      await world.reset()
    })
  })

  it("is offered no page action as an operation or a tool", async () => {
    const names = ofPages.map(({ name }) => name)
    assert.isNotEmpty(names)
    const toolNames = (await Promise.all(kinds.flatMap((kind) => actors(kind).map((actor) => world.shown(actor)))))
      .flat()
    for (const { name } of ofPages) {
      assert.notInclude(all.map((operation) => operation.name), name)
      assert.notInclude(toolNames, toToolName({ name }))
      assert.notInclude(await world.described(), `"${name}"`)
    }
  })

  it.each(kinds)("%s: needs the required scope for a route that is not an operation", async (kind) => {
    for (const actor of actors(kind)) {
      for (const scope of everyScope) {
        const code = mayDo(actor, scope) ? undefined : "forbidden"
        assert.strictEqual(await world.route(actor, scope), code, `${[...actor.scopes].join("+")}: ${scope}`)
      }
    }
  })

  it("cannot run operations as a guest, or admin operations as the agent", () => {
    const scopes = new Set(holdings.flatMap((holding) => [...holding]))
    const countAllowed = (kind: Kind) =>
      all.filter(({ scope }) => mayDo(actorOf(kind, { orgId: "", scopes }), scope)).length
    const admin = all.filter(({ scope }) => scope === "admin").length
    assert.isAbove(admin, 1)
    assert.deepStrictEqual([countAllowed("Guest"), countAllowed("Visitor")], [0, 0])
    assert.strictEqual(countAllowed("Agent"), all.length - admin)
    for (const kind of ["Key", "Host", "Staff", "Application"] as const) {
      assert.strictEqual(countAllowed(kind), all.length)
    }
  })
})
