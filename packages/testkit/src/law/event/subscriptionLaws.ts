/**
 * Tests named positions in event logs: where they start, which worker holds them, and that the holder receives every
 * event in order. Leases and retries end immediately, so no law waits for a clock.
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
import { numbers } from "../../fake/numbers.ts"
import { sameRows } from "../compare.ts"
import { law, lawForAll, rounds } from "../Law.ts"
import { openOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { hourMs } from "../task/tasks.ts"
import { happen } from "./endpoints.ts"

const overAtOnce = -1

const keyNamed = (orgId: string, name = "crm"): SubscriptionKey => ({ orgId, name })

const begin = (place: SubscriptionKey, from: StartPosition = "now") => Store.subscriptions.begin([{ ...place, from }])

const findWaiting = (...places: ReadonlyArray<SubscriptionKey>) => Store.subscriptions.waiting(places)

const claim = (place: SubscriptionKey, leaseMs: number = hourMs) => Store.subscriptions.claim(place, leaseMs)

const claimPlace = (place: SubscriptionKey, leaseMs: number = hourMs) =>
  Effect.map(
    claim(place, leaseMs),
    (option) => Option.getOrUndefined(option) ?? assert.fail("the position could not be claimed")
  )

const nobodyMayClaim = (place: SubscriptionKey, why: string) =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* findWaiting(place), [], why)
    assert.isTrue(Option.isNone(yield* claim(place)), why)
  })

/** A position after two events, with three more pending. */
const placedSubscription = Effect.gen(function*() {
  const { id: orgId } = yield* openOrg
  const place = keyNamed(orgId)
  yield* happen(orgId, 2)
  yield* begin(place)
  yield* happen(orgId, 3)
  return { place, orgId, store: yield* SubscriptionStore }
})

/** Every use of a claim. If the claim is void, each use that returns a result returns false. */
const uses: ReadonlyArray<
  readonly [what: string, use: (store: SubscriptionStore["Type"], claim: SubscriptionClaim) => Effect.Effect<unknown>]
> = [
  ["advance", (store, claim) => store.advance(claim, 4, hourMs)],
  ["postpone", (store, claim) => store.postpone(claim, overAtOnce)],
  ["release", (store, claim) => Effect.as(store.release(claim), false)],
  ["release at a later position", (store, claim) => Effect.as(store.release(claim, 5), false)]
]

type PlacedSubscription = Effect.Effect.Success<typeof placedSubscription>

/** Every way in which a claim can become void. */
const voids: ReadonlyArray<
  readonly [
    how: string,
    leaseMs: number,
    make: (
      subscription: PlacedSubscription,
      claim: SubscriptionClaim
    ) => Effect.Effect<unknown, never, SubscriptionStore>
  ]
> = [
  ["claimed again", overAtOnce, ({ place }) => claimPlace(place)],
  ["postponed", hourMs, ({ store }, claim) => store.postpone(claim, overAtOnce)],
  ["released", hourMs, ({ store }, claim) => store.release(claim)],
  [
    "released and claimed",
    hourMs,
    ({ place, store }, claim) => Effect.zipRight(store.release(claim), claimPlace(place))
  ]
]

/** Returns a position's visible state, and claims the position if it is free. */
const readState = (place: SubscriptionKey) =>
  Effect.gen(function*() {
    const waits = yield* findWaiting(place)
    return { waits, claim: Option.getOrNull(yield* claim(place)) }
  })

type Step =
  | { readonly _tag: "Write"; readonly events: number }
  | { readonly _tag: "Claim"; readonly by: number; readonly lapses: boolean }
  | { readonly _tag: "Deal"; readonly by: number }
  | { readonly _tag: "Fail"; readonly by: number }
  | { readonly _tag: "Release"; readonly by: number }
  /** A worker receives an event, and stalls or crashes before the position is stored. */
  | { readonly _tag: "Hear"; readonly by: number }

const worker = FastCheck.nat({ max: 2 })

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 3 }).map((events): Step => ({ _tag: "Write", events })),
  FastCheck.tuple(worker, FastCheck.boolean()).map(([by, lapses]): Step => ({ _tag: "Claim", by, lapses })),
  FastCheck.tuple(worker, FastCheck.boolean()).map(([by, lapses]): Step => ({ _tag: "Claim", by, lapses })),
  worker.map((by): Step => ({ _tag: "Deal", by })),
  worker.map((by): Step => ({ _tag: "Deal", by })),
  worker.map((by): Step => ({ _tag: "Hear", by })),
  worker.map((by): Step => ({ _tag: "Fail", by })),
  worker.map((by): Step => ({ _tag: "Release", by }))
)

export const subscriptionLaws = [
  law(
    "subscriptions/begins",
    "creates a position only once, either after the newest event or before the first",
    function*() {
      const [{ id: orgId }, { id: twinId }] = yield* Effect.all([openOrg, openOrg])
      const [now, start, twin, quiet] = [
        keyNamed(orgId, "now"),
        keyNamed(orgId, "start"),
        keyNamed(twinId, "now"),
        keyNamed(twinId)
      ]
      yield* happen(orgId, 3)
      yield* happen(twinId, 1)
      const all = [now, start, twin]
      sameRows(
        yield* Store.subscriptions.waiting([...all, quiet]),
        [...all, quiet].map((place) => ({ ...place, cursor: null }))
      )
      yield* Store.subscriptions.begin([{ ...now, from: "now" }, { ...start, from: "start" }, { ...twin, from: "now" }])
      sameRows(yield* Store.subscriptions.waiting(all), [{ ...start, cursor: 0 }])
      yield* happen(orgId, 1)
      // The position already exists, so this call has no effect.
      yield* Store.subscriptions.begin([{ ...now, from: "now" }, { ...start, from: "now" }, { ...twin, from: "start" }])
      sameRows(yield* Store.subscriptions.waiting(all), [{ ...now, cursor: 3 }, { ...start, cursor: 0 }])
      assert.strictEqual((yield* claimPlace(twin)).cursor, 1)
      // A position can also start in an org without events.
      const { id: emptyId } = yield* openOrg
      yield* Store.subscriptions.begin([{ ...keyNamed(emptyId), from: "now" }])
      assert.deepStrictEqual(yield* Store.subscriptions.waiting([keyNamed(emptyId)]), [])
      yield* happen(emptyId, 1)
      assert.deepStrictEqual(yield* Store.subscriptions.waiting([keyNamed(emptyId)]), [{
        ...keyNamed(emptyId),
        cursor: 0
      }])
    }
  ),

  law(
    "subscriptions/nothing",
    "creates and returns no positions for an empty list",
    function*() {
      const { orgId, place } = yield* placedSubscription
      yield* Store.subscriptions.begin([])
      assert.deepStrictEqual(yield* Store.subscriptions.waiting([]), [])
      assert.deepStrictEqual(yield* Store.subscriptions.waiting([keyNamed(orgId, "other")]), [{
        ...keyNamed(orgId, "other"),
        cursor: null
      }])
      assert.deepStrictEqual(yield* Store.subscriptions.waiting([place]), [{ ...place, cursor: 2 }])
    }
  ),

  law("subscriptions/org", "rejects a position whose org does not exist", function*() {
    const { place } = yield* placedSubscription
    const nowhere = keyNamed(place.orgId.replace(/^0/, "f"))
    const exit = yield* Effect.exit(begin(nowhere))
    assert.strictEqual(exit._tag, "Failure", "the invalid write was stored")
    assert.deepStrictEqual(yield* findWaiting(nowhere), [{ ...nowhere, cursor: null }])
  }),

  law(
    "subscriptions/waiting",
    "lists an unclaimed position if a later event exists and the retry time has passed",
    function*() {
      const { orgId, place, store } = yield* placedSubscription
      const other = keyNamed(orgId, "other")
      yield* begin(other)
      assert.deepStrictEqual(yield* findWaiting(place, other), [{ ...place, cursor: 2 }])
      const first = yield* claimPlace(place)
      assert.deepInclude(first, { ...place, cursor: 2, failures: 0 })
      assert.deepStrictEqual(yield* findWaiting(place, other), [])
      assert.isTrue(yield* store.advance(first, 5, hourMs))
      yield* store.release(first)
      assert.deepStrictEqual(yield* findWaiting(place, other), [])
      yield* happen(orgId, 1)
      sameRows(yield* findWaiting(place, other), [{ ...place, cursor: 5 }, { ...other, cursor: 5 }])
    }
  ),

  law(
    "subscriptions/claimed-once",
    "lets only one of several concurrent workers claim a position",
    ({ runs }) =>
      rounds(runs, function*(round) {
        const next = numbers(round)
        const { orgId, place } = yield* placedSubscription
        const other = keyNamed(orgId, "other")
        const claimer = (place: SubscriptionKey) =>
          Effect.zipRight(Effect.repeatN(Effect.yieldNow(), next() % 12), claim(place))
        // Concurrent calls create a single position.
        yield* Effect.all([begin(other, "start"), begin(other, "start"), begin(other, "start")], {
          concurrency: "unbounded"
        })
        const claims = yield* Effect.all(
          [place, other, place, other, place, other, place].map(claimer),
          { concurrency: "unbounded" }
        )
        const claimedNames = claims.flatMap(Option.toArray).map(({ name }) => name)
        assert.deepStrictEqual(claimedNames.sort(), ["crm", "other"])
      })
  ),

  law(
    "subscriptions/lease",
    "reserves a position until its lease expires, and renews the lease with each event",
    function*() {
      const { place, store } = yield* placedSubscription
      const first = yield* claimPlace(place, overAtOnce)
      assert.deepStrictEqual(yield* findWaiting(place), [{ ...place, cursor: 2 }])
      const again = yield* claimPlace(place, overAtOnce)
      assert.notStrictEqual(again.fence, first.fence, "two claims have the same fence")
      // An expired lease stays valid until another worker claims the position.
      assert.isTrue(yield* store.advance(again, 3, hourMs))
      yield* nobodyMayClaim(place, "the lease was renewed")
      assert.isTrue(yield* store.advance(again, 4, overAtOnce))
      assert.strictEqual((yield* claimPlace(place)).cursor, 4)
      yield* nobodyMayClaim(place, "another worker has claimed the position")
    }
  ),

  law(
    "subscriptions/advance",
    "durably advances only the claimed position",
    function*() {
      const { orgId, place, store } = yield* placedSubscription
      const twin = yield* placedSubscription
      const other = keyNamed(orgId, "other")
      yield* begin(other, "start")
      const claim = yield* claimPlace(place)
      assert.isTrue(yield* store.advance(claim, 3, hourMs))
      assert.isTrue(yield* store.advance(claim, 4, overAtOnce))
      assert.strictEqual((yield* claimPlace(place)).cursor, 4)
      assert.strictEqual((yield* claimPlace(other)).cursor, 0)
      assert.strictEqual((yield* claimPlace(twin.place)).cursor, 2)
    }
  ),

  law(
    "subscriptions/postpone",
    "pauses a failed position until its retry time, and counts failures until a success",
    function*() {
      const { place, store } = yield* placedSubscription
      assert.isTrue(yield* store.postpone(yield* claimPlace(place), overAtOnce))
      const again = yield* claimPlace(place)
      assert.deepInclude(again, { cursor: 2, failures: 1 })
      assert.isTrue(yield* store.postpone(again, overAtOnce))
      const third = yield* claimPlace(place)
      assert.deepInclude(third, { cursor: 2, failures: 2 })
      // Releasing without an attempt leaves the position unchanged.
      yield* store.release(third)
      const fourth = yield* claimPlace(place)
      assert.deepInclude(fourth, { cursor: 2, failures: 2 })
      assert.isTrue(yield* store.advance(fourth, 3, overAtOnce))
      const fifth = yield* claimPlace(place)
      assert.deepInclude(fifth, { cursor: 3, failures: 0 })
      assert.isTrue(yield* store.postpone(fifth, hourMs))
      yield* nobodyMayClaim(place, "the position is not due yet")
    }
  ),

  law(
    "subscriptions/release",
    "releases a position unchanged, or advances it past the events that no handler needs",
    function*() {
      const { place, store } = yield* placedSubscription
      const first = yield* claimPlace(place)
      yield* store.release(first)
      const { fence: _, ...rest } = first
      assert.deepInclude(yield* claimPlace(place, overAtOnce), rest)
      const second = yield* claimPlace(place)
      assert.isTrue(yield* store.postpone(second, overAtOnce))
      yield* store.release(yield* claimPlace(place), 4)
      const third = yield* claimPlace(place)
      assert.deepInclude(third, { cursor: 4, failures: 0 })
      yield* store.release(third, 5)
      assert.deepStrictEqual(yield* findWaiting(place), [])
    }
  ),

  law(
    "subscriptions/void",
    "rejects an invalid claim and changes nothing",
    function*() {
      for (const [how, leaseMs, make] of voids) {
        for (const [what, use] of uses) {
          const subscription = yield* placedSubscription
          const twin = yield* placedSubscription
          const [claim, other] = [
            yield* claimPlace(subscription.place, leaseMs),
            yield* claimPlace(twin.place, leaseMs)
          ]
          yield* make(subscription, claim)
          yield* make(twin, other)
          assert.isFalse(yield* use(subscription.store, claim), `${what} after the position was ${how}`)
          const stateOf = ({ place }: PlacedSubscription) =>
            Effect.map(readState(place), ({ claim, waits }) => ({
              waits: waits.map(({ cursor }) => cursor),
              claim: claim === null ? null : { ...claim, orgId: "" }
            }))
          assert.deepStrictEqual(
            yield* stateOf(subscription),
            yield* stateOf(twin),
            `${what} after the position was ${how}`
          )
        }
      }
    }
  ),

  lawForAll(
    "subscriptions/all-come",
    "processes every event in order while workers claim positions, fail, and crash, and while leases expire",
    FastCheck.tuple(
      FastCheck.array(step, { minLength: 10, maxLength: 60, size: "max" }),
      FastCheck.constantFrom<StartPosition>("now", "start")
    ),
    function*([steps, from]) {
      const { id: orgId } = yield* openOrg
      const place = keyNamed(orgId)
      yield* happen(orgId, 2)
      yield* begin(place, from)
      const before = from === "start" ? 0 : 2
      const has: Array<SubscriptionClaim | undefined> = [undefined, undefined, undefined]
      /** The events that were received, and the events whose position was stored. */
      const receivedIds = new Set<number>()
      const dealtIds: Array<number> = []
      const next = (claim: SubscriptionClaim) =>
        Effect.map(Store.log.latest(orgId, 1000), (events) => events.find(({ id }) => id > claim.cursor)?.id)
      const deal = (by: number, claim: SubscriptionClaim, leaseMs: number) =>
        Effect.gen(function*() {
          const id = yield* next(claim)
          if (id === undefined) return
          receivedIds.add(id)
          if (yield* Store.subscriptions.advance(claim, id, leaseMs)) {
            dealtIds.push(id)
            has[by] = { ...claim, cursor: id, failures: 0 }
          } else has[by] = undefined
        })
      const play = (step: Step): Effect.Effect<unknown, never, Storage> => {
        if (step._tag === "Write") return happen(orgId, step.events)
        const claim = has[step.by]
        switch (step._tag) {
          case "Claim":
            return Effect.map(Store.subscriptions.claim(place, step.lapses ? overAtOnce : hourMs), (result) => {
              if (Option.isSome(result)) has[step.by] = result.value
            })
          case "Deal":
            return claim === undefined ? Effect.void : deal(step.by, claim, hourMs)
          case "Hear":
            return claim === undefined
              ? Effect.void
              : Effect.map(next(claim), (id) => id !== undefined && receivedIds.add(id))
          case "Fail":
            has[step.by] = undefined
            return claim === undefined ? Effect.void : Store.subscriptions.postpone(claim, overAtOnce)
          case "Release":
            has[step.by] = undefined
            return claim === undefined ? Effect.void : Store.subscriptions.release(claim)
        }
      }
      yield* Effect.forEach(steps, play, { discard: true })
      // The remaining holders release their claims, and another worker receives the rest.
      yield* Effect.forEach(has, (claim) => claim === undefined ? Effect.void : Store.subscriptions.release(claim))
      yield* happen(orgId, 1)
      has[0] = yield* claimPlace(place)
      for (let remaining = 1000; remaining > 0 && has[0] !== undefined; remaining--) {
        if ((yield* next(has[0])) === undefined) break
        yield* deal(0, has[0], hourMs)
      }
      const total = (yield* Store.log.latest(orgId, 1))[0]?.id ?? 0
      const expected = Array.from({ length: total - before }, (_, at) => before + at + 1)
      assert.deepStrictEqual(dealtIds, expected)
      assert.isTrue(expected.every((id) => receivedIds.has(id)), "an event was skipped")
    },
    (runs) => runs * 2
  )
]
