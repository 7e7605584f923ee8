/**
 * Every operation that changes something visible to staff must increase the org's change counter, so that open pages
 * update. The operations are read from the declarations.
 */
import { operations, webPageOperations } from "@trailbook/core/layer"
import { assert, beforeAll, it } from "vitest"
import { actorOf, kinds, mayDo } from "./actors/kinds.ts"
import { open, type World } from "./actors/world.ts"

/**
 * Writes that no open page shows: resending an email, emailing a payment request, mailing a link, verifying an address,
 * and creating a webhook.
 */
const unseen = new Set(["bookings.resend", "payments.request", "guest.link", "guest.prove", "webhooks.create"])

const all = [...operations, ...webPageOperations].filter((operation) =>
  !("method" in operation && operation.method === "GET")
)

let world: World
beforeAll(async () => {
  world = await open()
})

it.each(all.map((operation) => [operation.name, operation] as const))("%s", async (name, operation) => {
  await world.reset()
  const actor = kinds
    .map((kind) => actorOf(kind, { orgId: world.orgId, scopes: new Set([operation.scope]) }))
    .find((actor) => mayDo(actor, operation.scope))
  if (actor === undefined) return assert.fail("Nobody may do it.")
  const before = { tables: await world.tables(), head: await world.head() }
  await world.surfaces.core(actor, operation)
  const hasMoved = (await world.head()) > before.head
  const hasWritten = (await world.tables()) !== before.tables
  assert.strictEqual(hasMoved, hasWritten && !unseen.has(name))
})
