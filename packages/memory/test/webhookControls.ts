/**
 * Storage adapters that each break one law about webhooks or deliveries. They have an off-by-one cursor, grant a lease
 * to several workers, or accept stale claims.
 */
import { EventLog, type StoredEvent } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { type DeliveryClaim, DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort } from "./brokenStorage.ts"
import * as ReadCommitted from "./readCommitted.ts"

type Queue = DeliveryQueue["Type"]

/** Replaces a stale claim on an endpoint with the newest claim. */
const believing = (instead: (queue: Queue, newest: (claim: DeliveryClaim) => DeliveryClaim) => Partial<Queue>) =>
  breakPort(DeliveryQueue, (queue) => {
    const newest = new Map<string, DeliveryClaim>()
    return {
      claim: (options) =>
        Effect.tap(
          queue.claim(options),
          (result) => Effect.sync(() => Option.map(result, (claim) => newest.set(claim.webhook.id, claim)))
        ),
      ...instead(queue, (claim) => newest.get(claim.webhook.id) ?? claim)
    }
  })

/** Adds endpoints with a wrong cursor, computed from the newest event. */
const beginning = (at: (last: number) => number) =>
  Layer.effect(
    WebhookStore,
    Effect.gen(function*() {
      const store = yield* WebhookStore
      const log = yield* EventLog
      return WebhookStore.of({
        ...store,
        add: (webhook) =>
          Effect.gen(function*() {
            const [last] = yield* log.latest(webhook.orgId, 1)
            yield* store.add(webhook)
            yield* store.rewind(webhook, at(last?.id ?? 0))
          })
      })
    })
  ).pipe(Layer.provideMerge(Memory.layer))

/** Returns each event as it was when first read. */
const remembering = breakPort(DeliveryQueue, ({ pending }) => {
  const firstReads = new Map<string, StoredEvent>()
  return {
    pending: (webhook, after, limit) =>
      Effect.map(pending(webhook, after, limit), ({ events, head }) => ({
        head,
        events: events.map((event) => {
          const key = `${event.orgId} ${event.id}`
          const first = firstReads.get(key) ?? event
          firstReads.set(key, first)
          return first
        })
      }))
  }
})

/** Polls again only after a signal, which is sent before the commit makes the event visible. */
const lookingOnce = Layer.effectContext(Effect.gen(function*() {
  const queue = yield* DeliveryQueue
  const log = yield* EventLog
  const store = yield* WebhookStore
  let hasEvents = false
  const mark = Effect.sync(() => {
    hasEvents = true
  })
  return Context.make(EventLog, EventLog.of({ ...log, append: (events) => Effect.zipLeft(log.append(events), mark) }))
    .pipe(
      Context.add(
        WebhookStore,
        WebhookStore.of({ ...store, rewind: (key, after) => Effect.zipLeft(store.rewind(key, after), mark) })
      ),
      Context.add(
        DeliveryQueue,
        DeliveryQueue.of({
          ...queue,
          claim: (options) =>
            Effect.suspend(() => hasEvents ? queue.claim(options) : Effect.succeed(Option.none())).pipe(
              Effect.tap((result) =>
                Effect.sync(() => {
                  hasEvents = Option.isSome(result)
                })
              )
            )
        })
      )
    )
})).pipe(Layer.provideMerge(ReadCommitted.layer("sorted")))

/** Claims endpoints of older orgs first. */
const byOrg = Layer.effect(
  DeliveryQueue,
  Effect.gen(function*() {
    const queue = yield* DeliveryQueue
    const store = yield* WebhookStore
    return DeliveryQueue.of({
      ...queue,
      claim: (options) =>
        Effect.gen(function*() {
          const orgs = (yield* store.page("", 1000)).map(({ orgId }) => orgId)
          for (const orgId of orgs) {
            const result = yield* queue.claim({ ...options, exceptOrgs: orgs.filter((other) => other !== orgId) })
            if (Option.isSome(result)) return result
          }
          return Option.none()
        })
    })
  })
).pipe(Layer.provideMerge(Memory.layer))

export const webhookControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "webhooks/rows",
    "does not store the subscribed event types",
    breakPort(WebhookStore, ({ add }) => ({ add: (webhook) => add({ ...webhook, events: ["*"] }) }))
  ],
  [
    "webhooks/rows",
    "lists the newest webhook first",
    breakPort(WebhookStore, ({ list }) => ({ list: (orgId) => Effect.map(list(orgId), (rows) => rows.toReversed()) }))
  ],
  [
    "webhooks/remove",
    "reports a missing webhook as removed",
    breakPort(WebhookStore, ({ remove }) => ({ remove: (key) => Effect.as(remove(key), true) }))
  ],
  [
    "webhooks/rows",
    "repeats the last webhook of the previous page",
    breakPort(WebhookStore, ({ page }) => ({
      page: (after, limit) => Effect.map(page("", 1000), (all) => all.filter(({ id }) => id >= after).slice(0, limit))
    }))
  ],
  [
    "webhooks/reseal",
    "replaces a secret that has changed",
    breakPort(WebhookStore, ({ find, reseal }) => ({
      reseal: (webhook, sealedSecret) =>
        Effect.flatMap(
          find(webhook),
          (stored) => Option.isNone(stored) ? Effect.void : reseal(stored.value, sealedSecret)
        )
    }))
  ],

  ["deliveries/begins", "starts an endpoint at the first event of the log", beginning(() => 0)],
  [
    "deliveries/begins",
    "starts an endpoint at the event before it was added",
    beginning((last) => Math.max(0, last - 1))
  ],
  ["deliveries/begins-exactly", "runs transactions without isolation", Memory.layerUnguarded],
  ["deliveries/begins-among", "skips the first event after an endpoint was added", beginning((last) => last + 1)],
  [
    "deliveries/begins-among",
    "starts an endpoint at the event before it was added",
    beginning((last) => Math.max(0, last - 1))
  ],
  [
    "deliveries/lease",
    "grants leases that expire immediately",
    breakPort(DeliveryQueue, ({ claim }) => ({ claim: (options) => claim({ ...options, leaseMs: -1 }) }))
  ],
  [
    "deliveries/lease",
    "does not renew the lease after a delivery",
    breakPort(DeliveryQueue, ({ recordSuccess }) => ({
      recordSuccess: (claim, cursor, status) => recordSuccess(claim, cursor, status, -1)
    }))
  ],
  [
    "deliveries/lease",
    "grants leases that do not expire in time",
    breakPort(DeliveryQueue, ({ renew }) => ({ renew: (claim) => renew(claim, 1e9) }))
  ],
  [
    "deliveries/void",
    "keeps a claim valid after a rewind",
    Layer.effect(
      WebhookStore,
      Effect.gen(function*() {
        const queue = yield* DeliveryQueue
        const store = yield* WebhookStore
        return WebhookStore.of({
          ...store,
          // Moves the cursor the same way the claim's holder does, so the claim stays valid after the rewind.
          rewind: (key, after) =>
            Effect.gen(function*() {
              const webhook = yield* store.find(key)
              if (Option.isNone(webhook)) return false
              const claims = [1, 2, 3].map((fence) => ({
                webhook: webhook.value,
                fence,
                cursor: 0,
                stoppedAt: null,
                retryDue: false
              }))
              for (const claim of claims) {
                if (yield* queue.recordSuccess(claim, after, 200, 1e9)) return true
              }
              return yield* store.rewind(key, after)
            })
        })
      })
    ).pipe(Layer.provideMerge(Memory.layer))
  ],
  [
    "deliveries/delivered",
    "records status 200 for every success",
    breakPort(DeliveryQueue, ({ recordSuccess }) => ({
      recordSuccess: (claim, cursor, _, leaseMs) => recordSuccess(claim, cursor, 200, leaseMs)
    }))
  ],
  [
    "deliveries/delivered",
    "skips the events that were missed during a pause",
    breakPort(DeliveryQueue, ({ recordSuccess }) => ({
      recordSuccess: (claim, cursor, status, leaseMs) =>
        recordSuccess(claim, claim.stoppedAt ?? cursor, status, leaseMs)
    }))
  ],
  [
    "deliveries/retried",
    "delays missed events until the next event",
    breakPort(DeliveryQueue, ({ claim, pending, release }) => {
      const stoppedIds = new Set<string>()
      return {
        release: (lease, cursor) => {
          if (lease.stoppedAt !== null) stoppedIds.add(lease.webhook.id)
          return release(lease, cursor)
        },
        claim: (options) =>
          Effect.flatMap(claim(options), (result) => {
            if (Option.isNone(result) || !stoppedIds.has(result.value.webhook.id)) return Effect.succeed(result)
            return Effect.as(
              Effect.flatMap(pending(result.value.webhook, 0, 1), ({ head }) => release(result.value, head)),
              Option.none()
            )
          })
      }
    })
  ],
  [
    "deliveries/failed",
    "records every failure as a wrong status",
    breakPort(DeliveryQueue, ({ recordFailure }) => ({
      recordFailure: (claim, failure) => recordFailure(claim, { ...failure, fault: "status" })
    }))
  ],
  [
    "deliveries/failed",
    "does not pause an endpoint after a failure",
    breakPort(
      DeliveryQueue,
      ({ recordFailure }) => ({ recordFailure: (claim, failure) => recordFailure(claim, { ...failure, retryMs: -1 }) })
    )
  ],
  [
    "deliveries/failed",
    "retries a failed endpoint only after a new event",
    breakPort(
      DeliveryQueue,
      ({ recordFailure }) => ({
        recordFailure: (claim, failure) => recordFailure(claim, { ...failure, retryMs: 1e9 })
      })
    )
  ],
  [
    "deliveries/news",
    "does not store which events were passed",
    breakPort(DeliveryQueue, ({ release }) => ({ release: (claim) => release(claim) }))
  ],
  [
    "deliveries/news",
    "pauses at the failed event instead of the newest one",
    breakPort(DeliveryQueue, ({ claim, recordFailure, pending, release }) => ({
      recordFailure: (lease, failure) =>
        Effect.gen(function*() {
          const { events } = yield* pending(lease.webhook, lease.cursor, 1)
          const valid = yield* recordFailure(lease, { ...failure, retryMs: -1 })
          const again = yield* claim({ leaseMs: 1e9, exceptOrgs: [], exceptStoppedOf: [] })
          if (Option.isSome(again)) yield* release(again.value, events[0]?.id)
          return valid
        })
    }))
  ],
  [
    "deliveries/release",
    "skips an event when an endpoint is released",
    breakPort(DeliveryQueue, ({ release }) => ({
      release: (claim, cursor) => release(claim, cursor ?? claim.cursor + 1)
    }))
  ],
  [
    "deliveries/except",
    "claims endpoints of excluded orgs",
    breakPort(DeliveryQueue, ({ claim }) => ({ claim: (options) => claim({ ...options, exceptOrgs: [] }) }))
  ],
  [
    "deliveries/except-stopped",
    "claims paused endpoints of excluded orgs",
    breakPort(DeliveryQueue, ({ claim }) => ({ claim: (options) => claim({ ...options, exceptStoppedOf: [] }) }))
  ],
  ["deliveries/fair", "claims endpoints of the oldest org first", byOrg],
  [
    "deliveries/inactive",
    "claims inactive endpoints",
    breakPort(WebhookStore, ({ add }) => ({ add: (webhook) => add({ ...webhook, active: true }) }))
  ],
  [
    "deliveries/inactive",
    "does not remove endpoints",
    breakPort(WebhookStore, ({ find }) => ({ remove: (key) => Effect.map(find(key), Option.isSome) }))
  ],
  [
    "deliveries/pending",
    "applies the limit before it filters by type",
    breakPort(DeliveryQueue, ({ pending }) => ({
      pending: (webhook, after, limit) =>
        Effect.map(pending({ ...webhook, events: ["*"] }, after, limit), ({ events, head }) => ({
          head,
          events: events.filter(({ type }) => webhook.events.includes("*") || webhook.events.includes(type))
        }))
    }))
  ],
  [
    "deliveries/pending",
    "reports the newest matching event as the newest one",
    breakPort(DeliveryQueue, ({ pending }) => ({
      pending: (webhook, after, limit) =>
        Effect.map(pending(webhook, after, limit), ({ events, head }) => ({ events, head: events.at(-1)?.id ?? head }))
    }))
  ],
  ["deliveries/erased", "returns cached events", remembering],
  [
    "deliveries/standing",
    "does not report a pause",
    breakPort(WebhookStore, ({ progress: standing }) => ({
      progress: (key) => Effect.map(standing(key), Option.map(({ cursor }) => ({ cursor, stoppedAt: null })))
    }))
  ],
  [
    "deliveries/rewound",
    "reports a missing webhook as rewound",
    breakPort(WebhookStore, ({ rewind }) => ({ rewind: (key, after) => Effect.as(rewind(key, after), true) }))
  ],
  [
    "deliveries/rewound",
    "repeats the event from which it should continue",
    breakPort(WebhookStore, ({ rewind }) => ({ rewind: (key, after) => rewind(key, Math.max(0, after - 1)) }))
  ],
  ["deliveries/looked-away", "clears a marker for new work while it is being set", lookingOnce],
  ["deliveries/claimed-once", "runs transactions without isolation", Memory.layerUnguarded],
  [
    "deliveries/in-one-snapshot",
    "reads the newest event ID in a later query",
    breakPort(DeliveryQueue, ({ pending }) => ({
      pending: (webhook, after, limit) =>
        Effect.gen(function*() {
          const { events } = yield* pending(webhook, after, limit)
          yield* Effect.yieldNow()
          return { events, head: (yield* pending(webhook, after, 0)).head }
        })
    }))
  ],
  [
    "deliveries/all-come",
    "skips events that arrive before an endpoint is released",
    breakPort(DeliveryQueue, ({ pending, release }) => ({
      release: (claim, cursor) =>
        cursor === undefined
          ? release(claim)
          : Effect.flatMap(
            Effect.zipRight(Effect.yieldNow(), pending(claim.webhook, 0, 0)),
            ({ head }) => release(claim, head)
          )
    }))
  ]
]

export const claimControls: ReadonlyArray<readonly [law: string, method: string, storage: Layer.Layer<Storage>]> = [
  [
    "deliveries/void",
    "DeliveryQueue.delivered",
    believing(({ recordSuccess }, newest) => ({
      recordSuccess: (claim, ...answer) => recordSuccess(newest(claim), ...answer)
    }))
  ],
  [
    "deliveries/void",
    "DeliveryQueue.renew",
    believing(({ renew }, newest) => ({ renew: (claim, leaseMs) => renew(newest(claim), leaseMs) }))
  ],
  [
    "deliveries/void",
    "DeliveryQueue.failed",
    believing(({ recordFailure }, newest) => ({
      recordFailure: (claim, failure) => recordFailure(newest(claim), failure)
    }))
  ],
  [
    "deliveries/void",
    "DeliveryQueue.release",
    believing(({ release }, newest) => ({ release: (claim, cursor) => release(newest(claim), cursor) }))
  ]
]
