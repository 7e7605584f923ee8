/**
 * Tests the first event that a new endpoint receives, and deliveries after a guest has been erased.
 * `webhooksServed.long.test.ts` covers deliveries by processes that crash.
 */
import { EventLog } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { layer, migrate } from "@trailbook/postgres"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase, type Database } from "./postgres/database.ts"
import { domain, drainDeliveries } from "./webhooks/drain.ts"
import { beginnings } from "./webhooks/initialStates.ts"
import { call, openClass, outfitter } from "./webhooks/outfitter.ts"

/**
 * Creates endpoints during concurrent writes, and checks that each endpoint starts with the first event committed after
 * its creation.
 */
const beginWithTheNextEvent = async (storage: Layer.Layer<Storage, unknown>): Promise<void> => {
  const first = new Map<string, number>()
  const began = await Effect.runPromise(
    Effect.all([outfitter, outfitter, outfitter]).pipe(
      Effect.flatMap((outfitters) => Effect.forEach(outfitters, beginnings, { concurrency: "unbounded" })),
      Effect.tap(drainDeliveries),
      // If a receiver accepts no events, only its first event is sent.
      Effect.provide(domain(storage, ({ eventId, webhookId }) => {
        assert.isUndefined(first.get(webhookId))
        first.set(webhookId, eventId)
        return { _tag: "Answered", status: 500 }
      }))
    )
  )
  for (const { notAfter, notBefore, webhookId } of began.flat()) {
    const event = first.get(webhookId) ?? assert.fail("an endpoint received no event")
    assert.isAbove(event, notBefore, "the endpoint received an event from before its creation")
    assert.isAtMost(event, notAfter + 1, "the endpoint missed the first event after its creation")
  }
  assert.isAbove(new Set(began.flat().map(({ notAfter }) => notAfter)).size, 10)
}

/** Checks that pending deliveries contain no data about an erased guest. */
const sendNothingOfAnErasedGuest = async (storage: Layer.Layer<Storage, unknown>): Promise<void> => {
  const guest = { email: "canary@example.com", name: "Canary Wren", phone: "+1 719 555 0199" }
  const bodies: Array<string> = []
  let isDown = true
  await Effect.runPromise(
    Effect.gen(function*() {
      const { as, orgId } = yield* outfitter
      const place = yield* as(openClass)
      yield* as(call("webhooks.create", { url: "https://example.com/hook" }))
      const booking = yield* as(call("bookings.create", { ...place, customer: guest, notes: "a canary note" }))
      // The receiver is down, so deliveries stop at the event that contains the guest.
      yield* drainDeliveries
      assert.include(bodies.join(), guest.email)
      yield* as(call("bookings.cancel", { id: booking.id }))
      yield* as(call("customers.delete", { id: booking.customer.id }))
      isDown = false
      bodies.length = 0
      yield* drainDeliveries
      const log = yield* (yield* EventLog).latest(orgId, 1000)
      assert.deepStrictEqual(
        bodies.map((body) => JSON.parse(body).type),
        log.slice(-bodies.length).map(({ type }) => type)
      )
    }).pipe(Effect.provide(domain(storage, ({ body }) => {
      bodies.push(body)
      return { _tag: "Answered", status: isDown ? 503 : 204 }
    })))
  )
  const types = bodies.map((body) => JSON.parse(body).type)
  assert.includeMembers(types, ["booking.confirmed", "booking.cancelled", "customer.deleted"])
  for (const canary of [guest.email, "Canary", "Wren", "0199", "canary"]) assert.notInclude(bodies.join(), canary)
}

describe("on Postgres", () => {
  let database: Database
  const schema = {
    name: "trailbook",
    fill: async (url: string) => void await Effect.runPromise(migrate({ url }))
  }
  beforeAll(async () => {
    database = await createDatabase(schema)
  })
  afterAll(() => database.drop())
  const storage = () => layer({ url: database.url, units: 16 })

  it(
    "a new endpoint starts with the next event during concurrent writes",
    () => beginWithTheNextEvent(storage())
  )
  it("a stopped endpoint later receives no data about an erased guest", () => sendNothingOfAnErasedGuest(storage()))
})

describe("on SQLite", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "trailbook-webhooks-"))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const storage = () => SqliteStorage.layer({ filename: join(folder, "trailbook.sqlite") })

  it(
    "a new endpoint starts with the next event during concurrent writes",
    () => beginWithTheNextEvent(storage())
  )
  it("a stopped endpoint later receives no data about an erased guest", () => sendNothingOfAnErasedGuest(storage()))
})
