/**
 * Tests claims of webhook deliveries, and each endpoint's position. Leases expire immediately, so no law waits for a
 * clock.
 */
import { eventTypes } from "@trailbook/core/event"
import { type DeliveryClaim, DeliveryQueue, type Webhook } from "@trailbook/core/webhook"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { law, lawForAll } from "../Law.ts"
import { assertFindsNothing } from "../rowAssertions.ts"
import { createEmptyOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { checkInvalidClaims, checkLease, type Queue } from "../task/queueRules.ts"
import { hourMs } from "../task/tasks.ts"
import {
  addEndpoint,
  appendNewEvents,
  assertNothingClaimable,
  claim,
  claimEndpoints,
  claimExpectedEndpoint,
  deliverAllEvents,
  newEvent,
  removeAllEndpoints
} from "./endpoints.ts"

const find = (webhook: Webhook) => Effect.map(Store.webhooks.find(webhook), Option.getOrThrow)

const remove = (webhook: Webhook) => Store.webhooks.remove(webhook)

const failure = { status: 503, fault: "status", retryMs: hourMs } as const

/** Adds an endpoint with some events before its position and some after it. */
const placeEndpoint = (orgId: string) =>
  Effect.gen(function*() {
    yield* appendNewEvents(orgId, 2)
    const webhook = yield* addEndpoint({ orgId })
    yield* appendNewEvents(orgId, 3)
    return webhook
  })

const endpointQueue: Queue<DeliveryClaim> = {
  add: placeEndpoint,
  claim: (leaseMs) => Effect.map(claim({ leaseMs }), Option.toArray),
  getOrgId: ({ webhook }) => webhook.orgId,
  release: (claim) => Store.deliveries.release(claim),
  uses: {
    recordSuccess: (claim) => Store.deliveries.recordSuccess(claim, 4, 204, hourMs),
    renew: (claim) => Store.deliveries.renew(claim, hourMs),
    recordFailure: (claim) => Store.deliveries.recordFailure(claim, { ...failure, status: 0, fault: "dns" })
  },
  silentUses: { "release at a later position": (claim) => Store.deliveries.release(claim, 5) },
  invalidations: {
    rewound: ({ webhook }) => Store.webhooks.rewind(webhook, 0),
    failed: (claim) => Store.deliveries.recordFailure(claim, failure),
    removed: ({ webhook }) => remove(webhook)
  },
  read: (orgId) =>
    Effect.flatMap(
      Store.webhooks.list(orgId),
      Effect.forEach((webhook) => Effect.map(Store.webhooks.progress(webhook), (progress) => [webhook, progress]))
    ),
  describe: Struct.pick("cursor", "stoppedAt", "retryDue")
}

/** Claims an endpoint and asserts its position. */
const claimAt = (webhook: Webhook, expected: Partial<DeliveryClaim>) =>
  Effect.tap(claimExpectedEndpoint(webhook), (claim) => assert.deepInclude(claim, expected))

/** A claimed endpoint with some events before its position and some after it. */
const claimedEndpoint = Effect.gen(function*() {
  const webhook = yield* placeEndpoint((yield* createEmptyOrg).id)
  return { webhook, queue: yield* DeliveryQueue, claimed: yield* claimExpectedEndpoint(webhook) }
})

/** The same endpoint just after it stopped at event 5, before its retry is due. */
const stoppedEndpoint = Effect.tap(
  claimedEndpoint,
  ({ claimed, queue }) => Effect.map(queue.recordFailure(claimed, failure), (isValid) => assert.isTrue(isValid))
)

const types = [...eventTypes.slice(0, 4), "no.such.type"]

const eventFilters = FastCheck.oneof(
  { arbitrary: FastCheck.constant(["*"]), weight: 1 },
  { arbitrary: FastCheck.array(FastCheck.constantFrom("*", ...types), { maxLength: 5 }), weight: 4 }
)

export const deliveryLaws = [
  law(
    "deliveries/begins",
    "starts delivery with the first event after the endpoint was added",
    function*() {
      for (const [before, after] of [[0, 1], [0, 3], [2, 1], [3, 2]] as const) {
        const { id: orgId } = yield* createEmptyOrg
        yield* appendNewEvents(orgId, before)
        const webhook = yield* addEndpoint({ orgId })
        yield* assertNothingClaimable("all events were delivered")
        yield* appendNewEvents(orgId, after)
        const claim = yield* claimAt(webhook, { webhook, cursor: before, stoppedAt: null, retryDue: false })
        assert.deepStrictEqual(
          yield* deliverAllEvents(claim),
          Array.from({ length: after }, (_, at) => before + at + 1)
        )
        yield* assertNothingClaimable("everything was delivered")
        yield* remove(webhook)
      }
    }
  ),

  law(
    "deliveries/lease",
    "reserves a claimed endpoint until the lease expires, and then allows another claim",
    function*() {
      yield* checkLease(endpointQueue)
      const { claimed, queue, webhook } = yield* claimedEndpoint
      assert.isTrue(yield* queue.renew(claimed, -1))
      const second = yield* claimExpectedEndpoint(webhook, -1)
      assert.isTrue(yield* queue.renew(second, hourMs))
      yield* assertNothingClaimable("the endpoint's lease was renewed")
      assert.isTrue(yield* queue.recordSuccess(second, 3, 200, -1))
      const third = yield* claimExpectedEndpoint(webhook, -1)
      assert.isTrue(yield* queue.recordSuccess(third, 4, 200, hourMs))
      yield* assertNothingClaimable("the delivery renewed the lease")
      yield* queue.release(third)
      assert.strictEqual((yield* claimExpectedEndpoint(webhook)).cursor, 4)
    }
  ),

  law("deliveries/void", "rejects an invalid claim and changes nothing", () => checkInvalidClaims(endpointQueue)),

  law(
    "deliveries/delivered",
    "advances the cursor and clears the failure when a delivery succeeds",
    function*() {
      const { queue, webhook } = yield* stoppedEndpoint
      const { orgId } = webhook
      yield* appendNewEvents(orgId, 1)
      const claim = yield* claimAt(webhook, { cursor: 2, stoppedAt: 5, retryDue: false })
      assert.isTrue(yield* queue.recordSuccess(claim, 3, 204, hourMs))
      assert.deepInclude(yield* find(webhook), { lastStatus: 204, lastError: null })
      yield* queue.release(claim)
      // No new event is needed, because the endpoint still has undelivered events.
      const next = yield* claimAt(webhook, { cursor: 3, stoppedAt: null, retryDue: false })
      assert.deepStrictEqual(yield* deliverAllEvents(next), [4, 5, 6])
      yield* assertNothingClaimable("everything was delivered")
    }
  ),

  law(
    "deliveries/retried",
    "delivers all events waiting behind a failed event after its retry succeeds",
    function*() {
      const { claimed, queue, webhook } = yield* claimedEndpoint
      assert.isTrue(yield* queue.recordFailure(claimed, { ...failure, retryMs: -1 }))
      const retryClaim = yield* claimAt(webhook, { cursor: 2, stoppedAt: 5, retryDue: true })
      assert.isTrue(yield* queue.recordSuccess(retryClaim, 3, 200, hourMs))
      yield* assertNothingClaimable("the endpoint is claimed")
      yield* queue.release(retryClaim)
      assert.deepStrictEqual(yield* deliverAllEvents(yield* claimExpectedEndpoint(webhook)), [4, 5])
      yield* assertNothingClaimable("everything was delivered")
    }
  ),

  law(
    "deliveries/failed",
    "records a failure and pauses the endpoint until its retry time",
    function*() {
      const { queue, webhook } = yield* stoppedEndpoint
      const stoppedWebhook = yield* find(webhook)
      assert.deepInclude(stoppedWebhook, { lastStatus: 503, lastError: "status" })
      assert.isNotNull(stoppedWebhook.lastAttemptAt)
      yield* assertNothingClaimable("the endpoint is paused")

      const other = yield* claimedEndpoint
      assert.isTrue(yield* queue.recordFailure(other.claimed, { status: 0, fault: "timeout", retryMs: 0 }))
      const due = yield* claimAt(other.webhook, { cursor: 2, stoppedAt: 5, retryDue: true })
      assert.deepInclude(due.webhook, { lastStatus: 0, lastError: "timeout" })
    }
  ),

  law(
    "deliveries/news",
    "makes a paused endpoint claimable when its org has a new event",
    function*() {
      const { queue, webhook } = yield* stoppedEndpoint
      const { orgId } = webhook
      yield* appendNewEvents((yield* createEmptyOrg).id, 1)
      yield* assertNothingClaimable("the endpoint's org has no new event")
      yield* appendNewEvents(orgId, 2)
      const newClaim = yield* claimAt(webhook, { cursor: 2, stoppedAt: 5, retryDue: false })
      // The endpoint is not subscribed to any of these events, so it stays blocked at the undelivered event.
      yield* queue.release(newClaim, 7)
      yield* assertNothingClaimable("the endpoint's position is already after the event")
      yield* appendNewEvents(orgId, 1)
      const nextClaim = yield* claimAt(webhook, { cursor: 2, stoppedAt: 7, retryDue: false })
      assert.isTrue(yield* queue.recordFailure(nextClaim, failure))
      yield* assertNothingClaimable("the endpoint was paused at the newest event")
      yield* appendNewEvents(orgId, 1)
      assert.strictEqual((yield* claimExpectedEndpoint(webhook)).stoppedAt, 8)
    }
  ),

  law(
    "deliveries/release",
    "releases an endpoint at its previous position, or advances it past the events that it skips",
    function*() {
      const { claimed, queue, webhook } = yield* claimedEndpoint
      yield* queue.release(claimed)
      assert.deepStrictEqual(yield* find(webhook), webhook)
      const secondClaim = yield* claimAt(webhook, { cursor: 2, stoppedAt: null })
      yield* queue.release(secondClaim, 4)
      const thirdClaim = yield* claimAt(webhook, { cursor: 4, stoppedAt: null })
      yield* queue.release(thirdClaim, 5)
      yield* assertNothingClaimable("the endpoint's position is after all events")
      assert.deepStrictEqual(yield* find(webhook), webhook)
      yield* appendNewEvents(webhook.orgId, 1)
      assert.strictEqual((yield* claimExpectedEndpoint(webhook)).cursor, 5)
    }
  ),

  law(
    "deliveries/except",
    "skips all endpoints of excluded orgs",
    function*() {
      const endpoints = yield* Effect.replicateEffect(addEndpoint(), 3)
      const orgs = endpoints.map(({ orgId }) => orgId)
      yield* Effect.forEach(orgs, (orgId) => appendNewEvents(orgId, 1))
      for (const orgId of orgs) {
        const exceptOrgs = orgs.filter((candidate) => candidate !== orgId)
        const firstClaim = Option.getOrUndefined(yield* claim({ exceptOrgs: [...exceptOrgs, ...exceptOrgs] }))
        assert.strictEqual(firstClaim?.webhook.orgId, orgId)
        yield* assertFindsNothing(claim({ exceptOrgs }))
      }
    }
  ),

  law(
    "deliveries/except-stopped",
    "skips only the paused endpoints of orgs that are excluded from retries",
    function*() {
      const [healthyWebhook, stoppedWebhook, other] = [yield* addEndpoint(), yield* addEndpoint(), yield* addEndpoint()]
      for (const webhook of [stoppedWebhook, other]) {
        yield* appendNewEvents(webhook.orgId, 1)
        yield* Store.deliveries.recordFailure(yield* claimExpectedEndpoint(webhook), {
          status: 500,
          fault: "status",
          retryMs: -1
        })
      }
      yield* appendNewEvents(healthyWebhook.orgId, 1)
      const claimId = (options: Parameters<typeof claim>[0]) =>
        Effect.map(claim({ leaseMs: -1, ...options }), (result) => Option.getOrUndefined(result)?.webhook.id)

      assert.strictEqual(yield* claimId({ exceptStoppedOf: "every" }), healthyWebhook.id)
      assert.strictEqual(
        yield* claimId({ exceptOrgs: [healthyWebhook.orgId], exceptStoppedOf: [other.orgId] }),
        stoppedWebhook.id
      )
      assert.strictEqual(
        yield* claimId({ exceptOrgs: [healthyWebhook.orgId], exceptStoppedOf: [stoppedWebhook.orgId] }),
        other.id
      )
      for (const exceptStoppedOf of [[stoppedWebhook.orgId, other.orgId], "every"] as const) {
        assert.isUndefined(yield* claimId({ exceptOrgs: [healthyWebhook.orgId], exceptStoppedOf }))
        assert.strictEqual(yield* claimId({ exceptStoppedOf }), healthyWebhook.id)
      }
    }
  ),

  lawForAll(
    "deliveries/fair",
    "claims new endpoints first, and then the others by last attempt, oldest first",
    FastCheck.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
    (order) =>
      Effect.gen(function*() {
        const triedEndpoints = yield* Effect.replicateEffect(addEndpoint(), order.length)
        const newEndpoint = yield* addEndpoint()
        yield* Effect.forEach([...triedEndpoints, newEndpoint], ({ orgId }) => appendNewEvents(orgId, 2))
        const claims = new Map((yield* claimEndpoints(6)).map((claim) => [claim.webhook.id, claim]))
        const orderedIds = order.map((at) => triedEndpoints[at]?.id ?? "")
        let last = -Infinity
        for (const id of orderedIds) {
          const claim = claims.get(id) ?? assert.fail("the endpoint was not claimed")
          const before = last
          // Repeat until the storage's clock has advanced.
          for (let tries = 0; last <= before; tries++) {
            assert.isBelow(tries, 100_000, "attempts are not recorded")
            assert.isTrue(yield* Store.deliveries.recordSuccess(claim, 1, 200, hourMs))
            last = (yield* find(claim.webhook)).lastAttemptAt ?? before
          }
        }
        yield* Effect.forEach(claims.values(), (claim) => Store.deliveries.release(claim))
        assert.deepStrictEqual((yield* claimEndpoints(6)).map(({ webhook }) => webhook.id), [
          newEndpoint.id,
          ...orderedIds
        ])
      }).pipe(Effect.ensuring(removeAllEndpoints))
  ),

  law(
    "deliveries/inactive",
    "does not claim an inactive or deleted endpoint",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      yield* addEndpoint({ orgId, active: false })
      const { id } = yield* addEndpoint({ orgId })
      yield* appendNewEvents(orgId, 2)
      const [onlyClaim, ...others] = yield* claimEndpoints(3)
      assert.strictEqual(onlyClaim?.webhook.id, id)
      assert.deepStrictEqual(others, [])
      const { claimed, queue, webhook } = yield* claimedEndpoint
      yield* queue.release(claimed)
      yield* remove(webhook)
      yield* assertNothingClaimable("the endpoint was removed")
    }
  ),

  lawForAll(
    "deliveries/pending",
    "returns the matching events of the endpoint's org, oldest first, and the ID of the newest event",
    FastCheck.record({
      log: FastCheck.array(FastCheck.constantFrom(...eventTypes.slice(0, 5)), { maxLength: 12 }),
      wanted: eventFilters,
      after: FastCheck.nat({ max: 13 }),
      limit: FastCheck.integer({ min: 1, max: 6 })
    }),
    ({ after, limit, log, wanted }) =>
      Effect.gen(function*() {
        const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
        yield* Store.eventLog.append(
          log.flatMap((type) => [{ ...newEvent(twinId, type), data: "twin" }, newEvent(orgId, type)])
        )
        yield* appendNewEvents(twinId, 1)
        const webhook = yield* addEndpoint({ orgId, events: wanted })
        const all = yield* Store.eventLog.latest(orgId, 100)
        const expected = all.filter(({ id, type }) => id > after && (wanted.includes("*") || wanted.includes(type)))
        assert.deepStrictEqual(yield* Store.deliveries.pending(webhook, after, limit), {
          events: expected.slice(0, limit),
          head: log.length
        })
      }).pipe(Effect.ensuring(removeAllEndpoints))
  ),

  law(
    "deliveries/erased",
    "delivers a rewritten event with its new data",
    function*() {
      const webhook = yield* addEndpoint()
      const { orgId } = webhook
      yield* Store.eventLog.append([{ ...newEvent(orgId), data: { name: "Ann" } }, {
        ...newEvent(orgId),
        data: { name: "Bob" }
      }])
      const pendingEvents = Effect.map(
        Store.deliveries.pending(webhook, 0, 10),
        ({ events }) => events.map(({ data }) => data)
      )
      assert.deepStrictEqual(yield* pendingEvents, [{ name: "Ann" }, { name: "Bob" }])
      yield* Store.eventLog.rewrite(orgId, [{ id: 1, data: { name: "" } }])
      assert.deepStrictEqual(yield* pendingEvents, [{ name: "" }, { name: "Bob" }])
    }
  ),

  law(
    "deliveries/rewound",
    "resumes delivery immediately from the position to which an endpoint was rewound",
    function*() {
      const { queue, webhook } = yield* stoppedEndpoint
      const storedWebhook = yield* find(webhook)
      assert.isTrue(yield* Store.webhooks.rewind(webhook, 1))
      const claim = yield* claimAt(webhook, { cursor: 1, stoppedAt: null, retryDue: false })
      assert.deepStrictEqual(claim.webhook, storedWebhook)
      assert.deepStrictEqual(yield* deliverAllEvents(claim), [2, 3, 4, 5])
      yield* assertNothingClaimable("everything was delivered")
      assert.isTrue(yield* Store.webhooks.rewind(webhook, 4))
      // Another org's ID or an unknown ID rewinds nothing.
      const { id: orgId } = yield* createEmptyOrg
      assert.isFalse(yield* Store.webhooks.rewind({ ...webhook, orgId }, 0))
      const newClaim = yield* claimExpectedEndpoint(webhook)
      assert.strictEqual(newClaim.cursor, 4)
      yield* queue.release(newClaim, 5)
      yield* remove(webhook)
      assert.isFalse(yield* Store.webhooks.rewind(webhook, 0))
      yield* assertNothingClaimable("the endpoint was removed")
    }
  ),

  law(
    "deliveries/standing",
    "returns an endpoint's position only to its org, even during a claim",
    function*() {
      const { claimed, queue, webhook } = yield* claimedEndpoint
      const progress = Effect.map(Store.webhooks.progress(webhook), Option.getOrNull)
      assert.deepStrictEqual(yield* progress, { cursor: 2, stoppedAt: null })
      yield* queue.recordSuccess(claimed, 3, 204, hourMs)
      assert.deepStrictEqual(yield* progress, { cursor: 3, stoppedAt: null })
      yield* queue.recordFailure(claimed, failure)
      assert.deepStrictEqual(yield* progress, { cursor: 3, stoppedAt: 5 })
      const { id: orgId } = yield* createEmptyOrg
      yield* assertFindsNothing(Store.webhooks.progress({ ...webhook, orgId }))
      yield* remove(webhook)
      assert.isNull(yield* progress)
    }
  )
]
