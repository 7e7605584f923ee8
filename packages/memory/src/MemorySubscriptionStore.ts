import { type SubscriptionClaim, type SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { claimLease, isClaimOf, isFree, noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import { lastEventId } from "./MemoryEventLog.ts"
import * as Table from "./Table.ts"
import { orgKey, requireRow, type Subscription, type Tables } from "./Tables.ts"

export const layer = storeLayer(SubscriptionStore, ({ read, unitOfWork, write }) => {
  /**
   * Updates a subscription and returns the result, or none if the subscription does not exist or fails the predicate.
   */
  const change = (
    key: SubscriptionKey,
    isRight: (place: Subscription, now: number) => boolean,
    to: (place: Subscription, now: number) => Subscription
  ) =>
    unitOfWork.run(Effect.gen(function*() {
      const now = yield* currentTime
      const place = yield* read((tables) => find(tables, key))
      if (place === undefined || !isRight(place, now)) return Option.none()
      const result = to(place, now)
      yield* write((tables) => putPlace(tables, result))
      return Option.some(result)
    }))
  const under = (claim: SubscriptionClaim, to: (place: Subscription, now: number) => Subscription) =>
    Effect.map(change(claim, (place) => isClaimOf(claim, place), to), Option.isSome)

  return {
    begin: (places) =>
      write((tables) =>
        places.reduce((tables, { from, name, orgId }) => {
          requireRow(tables.orgs, orgId)
          if (find(tables, { orgId, name }) !== undefined) return tables
          const cursor = from === "start" ? 0 : lastEventId(tables, orgId)
          return putPlace(tables, { orgId, name, cursor, ...noFailures, ...noLease })
        }, tables)
      ),
    waiting: (places) =>
      Effect.flatMap(currentTime, (now) =>
        read((tables) =>
          places
            .filter((place) => isWaitedAt(tables, place, now))
            .map(({ name, orgId }) => ({ orgId, name, cursor: find(tables, { orgId, name })?.cursor ?? null }))
        )),
    claim: (key, leaseMs) =>
      Effect.map(
        change(key, isOpen, (place, now) => claimLease(place, now, leaseMs)),
        Option.map(Struct.omit("leaseUntil", "retryAt"))
      ),
    advance: (claim, cursor, leaseMs) =>
      under(claim, (place, now) => ({ ...place, ...noFailures, cursor, leaseUntil: now + leaseMs })),
    postpone: (claim, retryMs) =>
      under(claim, (place, now) => ({
        ...place,
        failures: place.failures + 1,
        retryAt: now + retryMs,
        leaseUntil: null
      })),
    release: (claim, cursor) =>
      Effect.asVoid(under(claim, (place) => ({
        ...place,
        ...(cursor === undefined ? {} : { ...noFailures, cursor }),
        leaseUntil: null
      })))
  }
})

const noFailures = { retryAt: null, failures: 0 } as const

const isOpen = (place: Subscription, now: number): boolean =>
  isFree(place, now) && (place.retryAt === null || place.retryAt <= now)

const find = ({ subscriptions }: Tables, { name, orgId }: SubscriptionKey): Subscription | undefined =>
  Table.get(subscriptions, orgKey(orgId, name))

/** Returns true if a subscription does not exist yet, or if it has pending events and can be claimed. */
export const isWaitedAt = (tables: Tables, key: SubscriptionKey, now: number): boolean => {
  const place = find(tables, key)
  return place === undefined || isOpen(place, now) && lastEventId(tables, key.orgId) > place.cursor
}

const putPlace = (tables: Tables, place: Subscription): Tables => ({
  ...tables,
  subscriptions: Table.put(tables.subscriptions, place)
})
