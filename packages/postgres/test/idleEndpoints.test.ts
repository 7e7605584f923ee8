/**
 * Tests the `undelivered` marks on orgs. A worker must not miss a change that happens between two of its statements.
 */
import { assert, describe, it } from "@effect/vitest"
import { DeliveryQueue, type Webhook, WebhookStore } from "@trailbook/core/webhook"
import * as PostgresDatabase from "@trailbook/postgres/PostgresDatabase"
import { Database } from "@trailbook/sql/Database"
import type { SqlValue } from "@trailbook/sql/Dialect"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import {
  addEndpoint,
  appendNewEvents,
  claim,
  claimExpectedEndpoint,
  deliverAllEvents
} from "@trailbook/testkit/law/event/endpoints"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { database } from "./schema.ts"

/** A storage adapter that runs an effect once, after the worker's first query. */
const between = (url: string, meanwhile: Effect.Effect<unknown>) => {
  let hasRun = false
  const once = Effect.suspend(() => {
    if (hasRun) return Effect.void
    hasRun = true
    return meanwhile
  })
  const paused = Layer.effect(
    Database,
    Effect.map(Database, (database) => ({
      ...database,
      query: <Row>(text: string, values?: ReadonlyArray<SqlValue>) =>
        text.includes("as served")
          ? Effect.zipLeft(database.query<Row>(text, values), once)
          : database.query<Row>(text, values)
    }))
  )
  return SqlStorage.layer.pipe(Layer.provide(paused), Layer.provide(PostgresDatabase.layer({ url })))
}

const marks = Effect.flatMap(
  Database,
  ({ query }) => query<{ readonly undelivered: boolean | null }>("select undelivered from trailbook.event_counters")
)

describe("an endpoint without pending deliveries", () => {
  const meanwhile: ReadonlyArray<
    readonly [
      what: string,
      work: (webhook: Webhook) => Effect.Effect<unknown, never, DeliveryQueue | WebhookStore>,
      left: ReadonlyArray<number>
    ]
  > = [
    ["is rewound", (webhook) => Effect.flatMap(WebhookStore, ({ rewind }) => rewind(webhook, 1)), [2]],
    [
      "is rewound and receives an event",
      (webhook) =>
        Effect.flatMap(WebhookStore, ({ rewind }) => rewind(webhook, 0)).pipe(
          Effect.zipRight(claimExpectedEndpoint(webhook)),
          Effect.flatMap((lease) =>
            Effect.flatMap(DeliveryQueue, (queue) =>
              Effect.zipRight(queue.recordSuccess(lease, 1, 200, 1000), queue.release(lease)))
          )
        ),
      [2]
    ]
  ]
  it.scopedLive.each(meanwhile)(
    "stays claimable if it %s during another claim",
    ([, work, expected]) =>
      Effect.gen(function*() {
        const { url } = yield* database()
        const plain = SqlStorage.layer.pipe(Layer.provideMerge(PostgresDatabase.layer({ url })))
        yield* Effect.gen(function*() {
          const webhook = yield* addEndpoint()
          yield* appendNewEvents(webhook.orgId, 2)
          yield* deliverAllEvents(yield* claimExpectedEndpoint(webhook))
          assert.deepStrictEqual(yield* marks, [{ undelivered: true }])
          const context = yield* Effect.context<DeliveryQueue | WebhookStore>()
          const within = Effect.provide(work(webhook), context)
          yield* Effect.provide(claim({ leaseMs: -1 }), between(url, within))
          assert.deepStrictEqual(yield* deliverAllEvents(yield* claimExpectedEndpoint(webhook)), expected)
        }).pipe(Effect.provide(plain))
      })
  )
})

it.scopedLive(
  "an org is marked as having undelivered events until all are delivered",
  () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* Effect.gen(function*() {
        const webhook = yield* addEndpoint()
        const isMarked = Effect.map(marks, ([counter]) => counter?.undelivered)
        assert.isFalse(yield* isMarked)
        yield* appendNewEvents(webhook.orgId, 1)
        assert.isTrue(yield* isMarked)
        const lease = yield* claimExpectedEndpoint(webhook)
        assert.isTrue(yield* isMarked)
        yield* deliverAllEvents(lease)
        assert.isTrue(Option.isNone(yield* claim()))
        assert.isFalse(yield* isMarked)
        yield* appendNewEvents(webhook.orgId, 1)
        yield* Effect.flatMap(WebhookStore, ({ remove }) => remove(webhook))
        assert.isTrue(Option.isNone(yield* claim()))
        assert.isNull(yield* isMarked)
        yield* appendNewEvents(webhook.orgId, 1)
        assert.isNull(yield* isMarked)
      }).pipe(Effect.provide(SqlStorage.layer.pipe(Layer.provideMerge(PostgresDatabase.layer({ url })))))
    })
)
