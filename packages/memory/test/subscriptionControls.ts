/**
 * Storage adapters that each break one law about subscription cursors. They start at the wrong position, grant two
 * claims on one cursor, or accept stale claims.
 */
import { type SubscriptionClaim, type SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import type { Storage } from "@trailbook/core/storage"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, swallowFailures } from "./brokenStorage.ts"

type Store = SubscriptionStore["Type"]

const keyOf = ({ name, orgId }: SubscriptionKey) => `${orgId} ${name}`

/** Replaces a stale claim on a cursor with the newest claim. */
const believing = (
  instead: (store: Store, newest: (claim: SubscriptionClaim) => SubscriptionClaim) => Partial<Store>
) =>
  breakPort(SubscriptionStore, (store) => {
    const newest = new Map<string, SubscriptionClaim>()
    return {
      claim: (place, leaseMs) =>
        Effect.tap(
          store.claim(place, leaseMs),
          (result) => Effect.sync(() => Option.map(result, (claim) => newest.set(keyOf(claim), claim)))
        ),
      ...instead(store, (claim) => newest.get(keyOf(claim)) ?? claim)
    }
  })

export const subscriptionControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "subscriptions/begins",
    "starts every position before the first event",
    breakPort(SubscriptionStore, ({ begin }) => ({
      begin: (places) => begin(places.map((place) => ({ ...place, from: "start" })))
    }))
  ],
  [
    "subscriptions/begins",
    "restarts an existing position",
    breakPort(SubscriptionStore, ({ begin, claim, release }) => ({
      begin: (places) =>
        Effect.zipRight(
          begin(places),
          Effect.forEach(places, (place) =>
            place.from === "now" ?
              Effect.void :
              Effect.flatMap(claim(place, 1), (result) =>
                Option.isNone(result) ? Effect.void : release(result.value, 0)), { discard: true })
        )
    }))
  ],
  [
    "subscriptions/nothing",
    "returns a position although none was requested",
    breakPort(SubscriptionStore, ({ waiting }) => ({
      waiting: (places) => waiting(places.length === 0 ? [{ orgId: "nowhere", name: "crm" }] : places)
    }))
  ],
  [
    "subscriptions/org",
    "accepts a position whose org does not exist",
    breakPort(SubscriptionStore, ({ begin }) => ({ begin: swallowFailures(begin) }))
  ],
  [
    "subscriptions/waiting",
    "returns a position that has no new event",
    breakPort(SubscriptionStore, ({ claim, release }) => ({
      waiting: (places) =>
        Effect.forEach(places, (place) =>
          Effect.flatMap(claim(place, 1), (result) =>
            Option.isNone(result)
              ? Effect.succeed([])
              : Effect.as(release(result.value), [{ ...place, cursor: result.value.cursor }]))).pipe(
            Effect.map((positions) => positions.flat())
          )
    }))
  ],
  ["subscriptions/claimed-once", "runs transactions without isolation", Memory.layerUnguarded],
  [
    "subscriptions/lease",
    "grants leases that expire immediately",
    breakPort(SubscriptionStore, ({ claim }) => ({ claim: (place) => claim(place, -1) }))
  ],
  [
    "subscriptions/lease",
    "does not renew the lease after an event is processed",
    breakPort(SubscriptionStore, ({ advance }) => ({ advance: (claim, cursor) => advance(claim, cursor, -1) }))
  ],
  [
    "subscriptions/lease",
    "grants leases that do not expire in time",
    breakPort(SubscriptionStore, ({ claim }) => ({ claim: (place) => claim(place, 1e9) }))
  ],
  [
    "subscriptions/advance",
    "advances the position to just before the processed event",
    breakPort(SubscriptionStore, ({ advance }) => ({
      advance: (claim, cursor, leaseMs) => advance(claim, cursor - 1, leaseMs)
    }))
  ],
  [
    "subscriptions/postpone",
    "does not count failures",
    breakPort(SubscriptionStore, ({ release }) => ({ postpone: (claim) => Effect.as(release(claim), true) }))
  ],
  [
    "subscriptions/postpone",
    "retries immediately",
    breakPort(SubscriptionStore, ({ postpone }) => ({ postpone: (claim) => postpone(claim, -1) }))
  ],
  [
    "subscriptions/postpone",
    "never resets the failure count",
    breakPort(SubscriptionStore, ({ claim }) => {
      const most = new Map<string, number>()
      return {
        claim: (place, leaseMs) =>
          Effect.map(
            claim(place, leaseMs),
            Option.map((lease) => {
              const failures = Math.max(lease.failures, most.get(keyOf(place)) ?? 0)
              most.set(keyOf(place), failures)
              return { ...lease, failures }
            })
          )
      }
    })
  ],
  [
    "subscriptions/release",
    "does not store which events were passed",
    breakPort(SubscriptionStore, ({ release }) => ({ release: (claim) => release(claim) }))
  ],
  [
    "subscriptions/release",
    "skips an event when a position is released",
    breakPort(SubscriptionStore, ({ release }) => ({
      release: (claim, cursor) => release(claim, cursor ?? claim.cursor + 1)
    }))
  ],
  [
    "subscriptions/all-come",
    "skips an event whose processing failed",
    breakPort(SubscriptionStore, ({ release }) => ({
      postpone: (claim) => Effect.as(release(claim, claim.cursor + 1), true)
    }))
  ],
  [
    "subscriptions/all-come",
    "accepts an expired claim",
    believing(({ advance }, newest) => ({
      advance: (claim, cursor, leaseMs) => advance(newest(claim), cursor, leaseMs)
    }))
  ]
]

export const subscriptionClaimControls: ReadonlyArray<
  readonly [law: string, method: string, storage: Layer.Layer<Storage>]
> = [
  [
    "subscriptions/void",
    "SubscriptionStore.advance",
    believing(({ advance }, newest) => ({
      advance: (claim, cursor, leaseMs) => advance(newest(claim), cursor, leaseMs)
    }))
  ],
  [
    "subscriptions/void",
    "SubscriptionStore.postpone",
    believing(({ postpone }, newest) => ({ postpone: (claim, retryMs) => postpone(newest(claim), retryMs) }))
  ],
  [
    "subscriptions/void",
    "SubscriptionStore.release",
    believing(({ release }, newest) => ({ release: (claim, cursor) => release(newest(claim), cursor) }))
  ]
]
