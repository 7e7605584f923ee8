/**
 * Tests named positions in event logs: where they start, which worker holds them, and that the holder receives every
 * event in order. Leases expire and retries are due immediately, so no law waits for a clock.
 */
import {
  type StartPosition,
  type SubscriptionClaim,
  type SubscriptionKey,
  SubscriptionStore
} from "@trailbook/core/event"
import type { Storage } from "@trailbook/core/storage"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { makeRandomIntegers } from "../../fake/randomIntegers.ts"
import { law, lawForAll, runConcurrently, runRounds } from "../Law.ts"
import { assertDies, assertSameRows } from "../rowAssertions.ts"
import { createEmptyOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { checkInvalidClaims, checkLease, type Queue } from "../task/queueRules.ts"
import { hourMs } from "../task/tasks.ts"
import { appendNewEvents } from "./endpoints.ts"

const expiredLeaseMs = -1

const makeKey = (orgId: string, name = "crm"): SubscriptionKey => ({ orgId, name })

const begin = (key: SubscriptionKey, from: StartPosition = "now") => Store.subscriptions.begin([{ ...key, from }])

const findWaiting = (...keys: ReadonlyArray<SubscriptionKey>) => Store.subscriptions.waiting(keys)

const claim = (key: SubscriptionKey, leaseMs: number = hourMs) => Store.subscriptions.claim(key, leaseMs)

const claimOrFail = (key: SubscriptionKey, leaseMs: number = hourMs) =>
  Effect.map(
    claim(key, leaseMs),
    (option) => Option.getOrUndefined(option) ?? assert.fail("the position could not be claimed")
  )

/** Claims a position and asserts its fields. */
const claimAt = (key: SubscriptionKey, expected: Partial<SubscriptionClaim>) =>
  Effect.tap(claimOrFail(key), (claim) => assert.deepInclude(claim, expected))

const assertUnclaimable = (key: SubscriptionKey, reason: string) =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* findWaiting(key), [], reason)
    assert.isTrue(Option.isNone(yield* claim(key)), reason)
  })

/** Creates a position after two events, with three more pending. */
const placeSubscription = (orgId: string) =>
  Effect.gen(function*() {
    yield* appendNewEvents(orgId, 2)
    yield* begin(makeKey(orgId))
    yield* appendNewEvents(orgId, 3)
  })

const placedSubscription = Effect.gen(function*() {
  const { id: orgId } = yield* createEmptyOrg
  yield* placeSubscription(orgId)
  return { key: makeKey(orgId), orgId, store: yield* SubscriptionStore }
})

const subscriptionQueue: Queue<SubscriptionClaim> = {
  add: placeSubscription,
  claim: (leaseMs, orgId) => Effect.map(claim(makeKey(orgId), leaseMs), Option.toArray),
  getOrgId: ({ orgId }) => orgId,
  release: (claim) => Store.subscriptions.release(claim),
  uses: {
    advance: (claim) => Store.subscriptions.advance(claim, 4, hourMs),
    postpone: (claim) => Store.subscriptions.postpone(claim, expiredLeaseMs)
  },
  silentUses: { "release at a later position": (claim) => Store.subscriptions.release(claim, 5) },
  invalidations: { postponed: (claim) => Store.subscriptions.postpone(claim, expiredLeaseMs) },
  read: (orgId) => findWaiting(makeKey(orgId)),
  describe: Struct.pick("cursor", "failures")
}

type Step =
  | { readonly _tag: "Write"; readonly events: number }
  | { readonly _tag: "Claim"; readonly by: number; readonly lapses: boolean }
  | { readonly _tag: "Process" | "Fail" | "Release"; readonly by: number }
  /** A worker receives an event but stalls or crashes before the position is stored. */
  | { readonly _tag: "Receive"; readonly by: number }

const worker = FastCheck.nat({ max: 2 })

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 3 }).map((events): Step => ({ _tag: "Write", events })),
  FastCheck.tuple(worker, FastCheck.boolean()).map(([by, lapses]): Step => ({ _tag: "Claim", by, lapses })),
  FastCheck.tuple(worker, FastCheck.boolean()).map(([by, lapses]): Step => ({ _tag: "Claim", by, lapses })),
  worker.map((by): Step => ({ _tag: "Process", by })),
  worker.map((by): Step => ({ _tag: "Process", by })),
  worker.map((by): Step => ({ _tag: "Receive", by })),
  worker.map((by): Step => ({ _tag: "Fail", by })),
  worker.map((by): Step => ({ _tag: "Release", by }))
)

export const subscriptionLaws = [
  law(
    "subscriptions/begins",
    "creates a position only once, either after the newest event or before the first",
    function*() {
      const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      const [now, start, twin, quiet] = [
        makeKey(orgId, "now"),
        makeKey(orgId, "start"),
        makeKey(twinId, "now"),
        makeKey(twinId)
      ]
      yield* appendNewEvents(orgId, 3)
      yield* appendNewEvents(twinId, 1)
      const all = [now, start, twin]
      assertSameRows(yield* findWaiting(...all, quiet), [...all, quiet].map((key) => ({ ...key, cursor: null })))
      yield* Store.subscriptions.begin([{ ...now, from: "now" }, { ...start, from: "start" }, { ...twin, from: "now" }])
      assertSameRows(yield* findWaiting(...all), [{ ...start, cursor: 0 }])
      yield* appendNewEvents(orgId, 1)
      // The position already exists, so this call has no effect.
      yield* Store.subscriptions.begin([{ ...now, from: "now" }, { ...start, from: "now" }, { ...twin, from: "start" }])
      assertSameRows(yield* findWaiting(...all), [{ ...now, cursor: 3 }, { ...start, cursor: 0 }])
      assert.strictEqual((yield* claimOrFail(twin)).cursor, 1)
      // A position can also start in an org without events.
      const { id: emptyId } = yield* createEmptyOrg
      const emptyKey = makeKey(emptyId)
      yield* begin(emptyKey)
      assert.deepStrictEqual(yield* findWaiting(emptyKey), [])
      yield* appendNewEvents(emptyId, 1)
      assert.deepStrictEqual(yield* findWaiting(emptyKey), [{ ...emptyKey, cursor: 0 }])
    }
  ),

  law(
    "subscriptions/nothing",
    "creates and returns no positions for an empty list",
    function*() {
      const { orgId, key } = yield* placedSubscription
      yield* Store.subscriptions.begin([])
      assert.deepStrictEqual(yield* findWaiting(), [])
      const other = makeKey(orgId, "other")
      assert.deepStrictEqual(yield* findWaiting(other), [{ ...other, cursor: null }])
      assert.deepStrictEqual(yield* findWaiting(key), [{ ...key, cursor: 2 }])
    }
  ),

  law("subscriptions/org", "rejects a position whose org does not exist", function*() {
    const { key } = yield* placedSubscription
    const unknownOrgKey = makeKey(key.orgId.replace(/^0/, "f"))
    yield* assertDies(begin(unknownOrgKey), "the invalid write was stored")
    assert.deepStrictEqual(yield* findWaiting(unknownOrgKey), [{ ...unknownOrgKey, cursor: null }])
  }),

  law(
    "subscriptions/waiting",
    "lists an unclaimed position if a later event exists and the retry time has passed",
    function*() {
      const { orgId, key, store } = yield* placedSubscription
      const other = makeKey(orgId, "other")
      yield* begin(other)
      assert.deepStrictEqual(yield* findWaiting(key, other), [{ ...key, cursor: 2 }])
      const first = yield* claimAt(key, { ...key, cursor: 2, failures: 0 })
      assert.deepStrictEqual(yield* findWaiting(key, other), [])
      assert.isTrue(yield* store.advance(first, 5, hourMs))
      yield* store.release(first)
      assert.deepStrictEqual(yield* findWaiting(key, other), [])
      yield* appendNewEvents(orgId, 1)
      assertSameRows(yield* findWaiting(key, other), [{ ...key, cursor: 5 }, { ...other, cursor: 5 }])
    }
  ),

  law(
    "subscriptions/claimed-once",
    "lets only one of several concurrent workers claim a position",
    ({ runs }) =>
      runRounds(runs, function*(round) {
        const next = makeRandomIntegers(round)
        const { orgId, key } = yield* placedSubscription
        const other = makeKey(orgId, "other")
        const claimer = (key: SubscriptionKey) =>
          Effect.zipRight(Effect.repeatN(Effect.yieldNow(), next() % 12), claim(key))
        // Concurrent calls create a single position.
        yield* runConcurrently([begin(other, "start"), begin(other, "start"), begin(other, "start")])
        const claims = yield* runConcurrently([key, other, key, other, key, other, key].map(claimer))
        const claimedNames = claims.flatMap(Option.toArray).map(({ name }) => name)
        assert.deepStrictEqual(claimedNames.sort(), ["crm", "other"])
      })
  ),

  law(
    "subscriptions/lease",
    "reserves a position until its lease expires, and renews the lease with each event",
    function*() {
      yield* checkLease(subscriptionQueue)
      const { key, store } = yield* placedSubscription
      const claim = yield* claimOrFail(key, expiredLeaseMs)
      assert.deepStrictEqual(yield* findWaiting(key), [{ ...key, cursor: 2 }])
      assert.isTrue(yield* store.advance(claim, 3, hourMs))
      yield* assertUnclaimable(key, "the lease was renewed")
      assert.isTrue(yield* store.advance(claim, 4, expiredLeaseMs))
      assert.strictEqual((yield* claimOrFail(key)).cursor, 4)
      yield* assertUnclaimable(key, "another worker has claimed the position")
    }
  ),

  law(
    "subscriptions/advance",
    "durably advances only the claimed position",
    function*() {
      const { orgId, key, store } = yield* placedSubscription
      const twin = yield* placedSubscription
      const other = makeKey(orgId, "other")
      yield* begin(other, "start")
      const claim = yield* claimOrFail(key)
      assert.isTrue(yield* store.advance(claim, 3, hourMs))
      assert.isTrue(yield* store.advance(claim, 4, expiredLeaseMs))
      assert.strictEqual((yield* claimOrFail(key)).cursor, 4)
      assert.strictEqual((yield* claimOrFail(other)).cursor, 0)
      assert.strictEqual((yield* claimOrFail(twin.key)).cursor, 2)
    }
  ),

  law(
    "subscriptions/postpone",
    "pauses a failed position until its retry time, and counts failures until a success",
    function*() {
      const { key, store } = yield* placedSubscription
      assert.isTrue(yield* store.postpone(yield* claimOrFail(key), expiredLeaseMs))
      const secondClaim = yield* claimAt(key, { cursor: 2, failures: 1 })
      assert.isTrue(yield* store.postpone(secondClaim, expiredLeaseMs))
      const third = yield* claimAt(key, { cursor: 2, failures: 2 })
      // Releasing without an attempt leaves the position unchanged.
      yield* store.release(third)
      const fourth = yield* claimAt(key, { cursor: 2, failures: 2 })
      assert.isTrue(yield* store.advance(fourth, 3, expiredLeaseMs))
      const fifth = yield* claimAt(key, { cursor: 3, failures: 0 })
      assert.isTrue(yield* store.postpone(fifth, hourMs))
      yield* assertUnclaimable(key, "the position is not due yet")
    }
  ),

  law(
    "subscriptions/release",
    "releases a position unchanged, or advances it past the events that no handler needs",
    function*() {
      const { key, store } = yield* placedSubscription
      const first = yield* claimOrFail(key)
      yield* store.release(first)
      const { fence: _, ...rest } = first
      assert.deepInclude(yield* claimOrFail(key, expiredLeaseMs), rest)
      const second = yield* claimOrFail(key)
      assert.isTrue(yield* store.postpone(second, expiredLeaseMs))
      yield* store.release(yield* claimOrFail(key), 4)
      const third = yield* claimAt(key, { cursor: 4, failures: 0 })
      yield* store.release(third, 5)
      assert.deepStrictEqual(yield* findWaiting(key), [])
    }
  ),

  law(
    "subscriptions/void",
    "rejects an invalid claim and changes nothing",
    () => checkInvalidClaims(subscriptionQueue)
  ),

  lawForAll(
    "subscriptions/all-come",
    "processes every event in order while workers claim positions, fail, and crash, and while leases expire",
    FastCheck.tuple(
      FastCheck.array(step, { minLength: 10, maxLength: 60, size: "max" }),
      FastCheck.constantFrom<StartPosition>("now", "start")
    ),
    function*([steps, from]) {
      const { id: orgId } = yield* createEmptyOrg
      const key = makeKey(orgId)
      yield* appendNewEvents(orgId, 2)
      yield* begin(key, from)
      const startCursor = from === "start" ? 0 : 2
      const heldClaims: Array<SubscriptionClaim | undefined> = [undefined, undefined, undefined]
      /** The IDs of the received events, and of the events whose position was stored. */
      const receivedIds = new Set<number>()
      const processedIds: Array<number> = []
      const findNextId = (claim: SubscriptionClaim) =>
        Effect.map(Store.eventLog.latest(orgId, 1000), (events) => events.find(({ id }) => id > claim.cursor)?.id)
      const processEvent = (by: number, claim: SubscriptionClaim, leaseMs: number) =>
        Effect.gen(function*() {
          const id = yield* findNextId(claim)
          if (id === undefined) return
          receivedIds.add(id)
          if (yield* Store.subscriptions.advance(claim, id, leaseMs)) {
            processedIds.push(id)
            heldClaims[by] = { ...claim, cursor: id, failures: 0 }
          } else heldClaims[by] = undefined
        })
      const runStep = (step: Step): Effect.Effect<unknown, never, Storage> => {
        if (step._tag === "Write") return appendNewEvents(orgId, step.events)
        if (step._tag === "Claim") {
          return Effect.map(Store.subscriptions.claim(key, step.lapses ? expiredLeaseMs : hourMs), (result) => {
            if (Option.isSome(result)) heldClaims[step.by] = result.value
          })
        }
        const claim = heldClaims[step.by]
        if (claim === undefined) return Effect.void
        switch (step._tag) {
          case "Process":
            return processEvent(step.by, claim, hourMs)
          case "Receive":
            return Effect.map(findNextId(claim), (id) => id !== undefined && receivedIds.add(id))
          case "Fail":
            heldClaims[step.by] = undefined
            return Store.subscriptions.postpone(claim, expiredLeaseMs)
          case "Release":
            heldClaims[step.by] = undefined
            return Store.subscriptions.release(claim)
        }
      }
      yield* Effect.forEach(steps, runStep, { discard: true })
      // The remaining holders release their claims, and another worker receives the rest.
      const remainingClaims = heldClaims.filter((claim) => claim !== undefined)
      yield* Effect.forEach(remainingClaims, (claim) => Store.subscriptions.release(claim))
      yield* appendNewEvents(orgId, 1)
      heldClaims[0] = yield* claimOrFail(key)
      for (let remaining = 1000; remaining > 0 && heldClaims[0] !== undefined; remaining--) {
        if ((yield* findNextId(heldClaims[0])) === undefined) break
        yield* processEvent(0, heldClaims[0], hourMs)
      }
      const total = (yield* Store.eventLog.latest(orgId, 1))[0]?.id ?? 0
      const expected = Array.from({ length: total - startCursor }, (_, at) => startCursor + at + 1)
      assert.deepStrictEqual(processedIds, expected)
      assert.isTrue(expected.every((id) => receivedIds.has(id)), "an event was skipped")
    },
    (runs) => runs * 2
  )
]
