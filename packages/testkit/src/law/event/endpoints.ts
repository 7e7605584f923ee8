/**
 * Helpers for webhook endpoints, each in its own org. A law must remove its endpoints, because later claims would
 * return them.
 */
import type { EventType } from "@trailbook/core/event"
import type { NewEvent } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import type { DeliveryClaim, DeliveryQueue, Webhook } from "@trailbook/core/webhook"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { origin } from "../../generator/moment.ts"
import { newWebhook } from "../sampleRows.ts"
import { createEmptyOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { hourMs } from "../task/tasks.ts"

export const newEvent = (orgId: string, type: EventType = "org.updated"): NewEvent => ({
  orgId,
  type,
  data: {},
  person: null,
  createdAt: origin
})

/** Appends the given number of events to an org's log. */
export const appendNewEvents = (orgId: string, events: number, type?: EventType) =>
  Store.eventLog.append(Array.from({ length: events }, () => newEvent(orgId, type)))

/** Adds an endpoint to an org, or to a new org. */
export const addEndpoint = (fields: Partial<Webhook> = {}): Effect.Effect<Webhook, never, Storage> =>
  Effect.gen(function*() {
    const orgId = fields.orgId ?? (yield* createEmptyOrg).id
    const webhook = { ...newWebhook(orgId), ...fields }
    yield* Store.webhooks.add(webhook)
    return webhook
  })

/** Removes all endpoints. */
export const removeAllEndpoints = Effect.gen(function*() {
  yield* Effect.forEach(yield* Store.webhooks.page("", 10_000), Store.webhooks.remove, { discard: true })
})

/** Claims an endpoint, for an hour by default. */
export const claim = (options: Partial<Parameters<DeliveryQueue["Type"]["claim"]>[0]> = {}) =>
  Store.deliveries.claim({ leaseMs: hourMs, exceptOrgs: [], exceptStoppedOf: [], ...options })

/** Claims an endpoint and asserts that it is the expected one. */
export const claimExpectedEndpoint = (
  { id, orgId }: Webhook,
  leaseMs: number = hourMs
): Effect.Effect<DeliveryClaim, never, DeliveryQueue> =>
  Effect.map(claim({ leaseMs }), (result) => {
    const claim = Option.getOrUndefined(result)
    if (claim === undefined) return assert.fail("nothing could be claimed")
    assert.deepStrictEqual([claim.webhook.orgId, claim.webhook.id], [orgId, id])
    return claim
  })

/** Asserts that no endpoint can be claimed. */
export const assertNothingClaimable = (reason: string) =>
  Effect.map(claim(), (result) => assert.deepStrictEqual(Option.getOrUndefined(result), undefined, reason))

/** Claims up to `limit` endpoints for an hour, each in a separate call. */
export const claimEndpoints = (limit: number): Effect.Effect<ReadonlyArray<DeliveryClaim>, never, DeliveryQueue> =>
  Effect.iterate({ claims: [] as ReadonlyArray<DeliveryClaim>, hasMore: true }, {
    while: ({ claims, hasMore }) => hasMore && claims.length <= limit,
    body: ({ claims }) =>
      Effect.map(
        claim(),
        (result) => ({ claims: [...claims, ...Option.toArray(result)], hasMore: Option.isSome(result) })
      )
  }).pipe(Effect.map(({ claims }) => claims))

/** Delivers all pending events of an endpoint, the way a worker does, and returns their IDs. */
export const deliverAllEvents = (claim: DeliveryClaim): Effect.Effect<ReadonlyArray<number>, never, DeliveryQueue> =>
  Effect.gen(function*() {
    const { events, head } = yield* Store.deliveries.pending(claim.webhook, claim.cursor, 1000)
    for (const { id } of events) {
      assert.isTrue(yield* Store.deliveries.recordSuccess(claim, id, 200, hourMs), "the claim is void")
    }
    yield* Store.deliveries.release(claim, head)
    return events.map(({ id }) => id)
  })
