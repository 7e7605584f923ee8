/** Tests the limit of 20 webhooks per org on Postgres, where transactions run concurrently. */
import { OrgStore } from "@trailbook/core/org"
import { Secrets } from "@trailbook/core/port"
import { WebhookSender, WebhookStore } from "@trailbook/core/webhook"
import { Webhooks } from "@trailbook/core/webhook/Webhooks"
import { accountsLayer, createOrg, type DatabaseUrl, NodeIds } from "@trailbook/runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createDatabase, type Database } from "../../../test/postgres/database.ts"

let database: Database
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const outside = Layer.mergeAll(
  NodeIds.layer,
  Layer.succeed(Secrets, {
    seal: (secret) => Effect.succeed(secret),
    open: (secret) => Effect.succeed(secret),
    isCurrent: () => true
  }),
  Layer.succeed(WebhookSender, {
    findUrlProblem: () => Effect.succeed(undefined),
    send: () => Effect.dieMessage("Nothing is sent.")
  })
)

type Stores = OrgStore | WebhookStore

/** Adds webhooks concurrently and returns how many exist afterward. */
const addWebhooks = (stores: Layer.Layer<Stores, never, Stores>) => {
  const url: DatabaseUrl = { _tag: "Postgres", url: database.url, schema: "trailbook", prepare: true }
  const program = Effect.gen(function*() {
    const { org } = yield* createOrg({ name: "Salida", timezone: "America/Denver" })
    const { create, list } = yield* Webhooks
    const one = (at: number) =>
      Effect.option(create({ orgId: org.id, url: `https://example.com/${at}`, events: ["*"] }))
    yield* Effect.forEach(Array.from({ length: 18 }, (_, at) => at), one)
    yield* Effect.forEach(Array.from({ length: 24 }, (_, at) => at), one, { concurrency: "unbounded" })
    return (yield* list(org.id)).length
  })
  const storage = accountsLayer(url)
  return Effect.runPromise(
    program.pipe(
      Effect.provide(
        Webhooks.layer.pipe(
          Layer.provide(outside),
          Layer.provide(stores),
          Layer.provideMerge(storage)
        )
      )
    )
  )
}

it("the webhook limit applies to webhooks that are added concurrently", async () => {
  expect(await addWebhooks(Layer.merge(Layer.effect(OrgStore, OrgStore), Layer.effect(WebhookStore, WebhookStore))))
    .toBe(20)
})

it("control: the webhook limit is exceeded if the org is not locked", async () => {
  const unlocked = Layer.effect(OrgStore, Effect.map(OrgStore, (store) => ({ ...store, lock: store.find })))
  // Three requests read 18 webhooks before one of them adds the 19th. With the lock, the second request could not read
  // the webhooks, and the latch would never open.
  const three = Layer.effect(
    WebhookStore,
    Effect.gen(function*() {
      const store = yield* WebhookStore
      const latch = yield* Effect.makeLatch()
      let listings = 0
      const list: typeof store.list = (orgId) =>
        Effect.tap(store.list(orgId), ({ length }) => {
          if (length < 18) return Effect.void
          listings++
          return listings < 3 ? latch.await : latch.open
        })
      return { ...store, list }
    })
  )
  expect(await addWebhooks(Layer.merge(unlocked, three))).toBeGreaterThan(20)
})
