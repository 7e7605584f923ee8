/**
 * Creates endpoints during concurrent writes. An observer reads the endpoint list and the newest event in one snapshot,
 * to determine which two events each endpoint was created between.
 */
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { WebhookStore } from "@trailbook/core/webhook"
import { Webhooks } from "@trailbook/core/webhook/Webhooks"
import * as Effect from "effect/Effect"
import { call, openClass, type Outfitter } from "./outfitter.ts"

export interface Beginning {
  readonly webhookId: string
  /** The newest event in the last snapshot without the endpoint, which must not receive that event. */
  readonly notBefore: number
  /** The newest event in the first snapshot with the endpoint, which must receive every later event. */
  readonly notAfter: number
}

const endpoints = 15
const writers = 3

const numbered = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, at) => at)

export const beginnings = ({ as, orgId }: Outfitter) =>
  Effect.gen(function*() {
    const log = yield* EventLog
    const store = yield* WebhookStore
    const webhooks = yield* Webhooks
    const { snapshot } = yield* UnitOfWork
    const moments: Array<{ readonly head: number; readonly there: ReadonlySet<string> }> = []
    let isOver = false

    // Let the other fibers run, because some storages never suspend a fiber.
    const pause = Effect.sleep(1)
    const look = Effect.gen(function*() {
      const [list, latest] = yield* snapshot(Effect.all([store.list(orgId), log.latest(orgId, 1)]))
      moments.push({ head: latest[0]?.id ?? 0, there: new Set(list.map(({ id }) => id)) })
    })
    const writeEvents = Effect.gen(function*() {
      const place = yield* openClass
      const book = call("bookings.create", { ...place, customer: { email: "guest@example.com", name: "Guest" } })
      yield* Effect.repeat(Effect.zipRight(pause, book), { until: () => isOver })
    })
    const createEndpoints = Effect.gen(function*() {
      const webhookIds: Array<string> = []
      for (const at of numbered(endpoints)) {
        const { webhook } = yield* webhooks.create({ orgId, url: `https://example.com/${at}`, events: ["*"] })
        webhookIds.push(webhook.id)
        // Other writers append events in the meantime.
        yield* Effect.sleep(at % 3 * 10)
      }
      isOver = true
      return webhookIds
    })
    const [createdIds] = yield* Effect.all(
      [
        createEndpoints,
        Effect.repeat(Effect.zipRight(pause, look), { until: () => isOver }),
        ...numbered(writers).map(() => as(writeEvents))
      ],
      { concurrency: "unbounded" }
    )
    yield* look
    // Ensure that at least one event follows each endpoint.
    yield* as(call("org.update", { name: "Arkansas River Co." }))
    return createdIds.map((webhookId): Beginning => ({
      webhookId,
      notBefore: Math.max(0, ...moments.flatMap(({ head, there }) => there.has(webhookId) ? [] : [head])),
      notAfter: Math.min(...moments.flatMap(({ head, there }) => there.has(webhookId) ? [head] : []))
    }))
  })
