import { type SubscriptionClaim, type SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { claimLease, isClaimOf, isLeaseFree, noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import { lastEventId } from "./MemoryEventLog.ts"
import * as Table from "./Table.ts"
import { requireRow, type Subscription, type Tables, toOrgKey } from "./Tables.ts"

export const layer = storeLayer(SubscriptionStore, ({ read, unitOfWork, write }) => {
  /**
   * Updates a subscription and returns the result, or none if the subscription does not exist or fails the predicate.
   */
  const updateIf = (
    key: SubscriptionKey,
    isAllowed: (subscription: Subscription, now: number) => boolean,
    edit: (subscription: Subscription, now: number) => Subscription
  ) =>
    unitOfWork.run(Effect.gen(function*() {
      const now = yield* currentTime
      const subscription = yield* read((tables) => findSubscription(tables, key))
      if (subscription === undefined || !isAllowed(subscription, now)) return Option.none()
      const result = edit(subscription, now)
      yield* write((tables) => putSubscription(tables, result))
      return Option.some(result)
    }))
  const updateClaimed = (claim: SubscriptionClaim, edit: (subscription: Subscription, now: number) => Subscription) =>
    Effect.map(updateIf(claim, (subscription) => isClaimOf(claim, subscription), edit), Option.isSome)

  return {
    begin: (subscriptions) =>
      write((tables) =>
        subscriptions.reduce((tables, { from, name, orgId }) => {
          requireRow(tables.orgs, orgId)
          if (findSubscription(tables, { orgId, name }) !== undefined) return tables
          const cursor = from === "start" ? 0 : lastEventId(tables, orgId)
          return putSubscription(tables, { orgId, name, cursor, ...noFailures, ...noLease })
        }, tables)
      ),
    waiting: (subscriptions) =>
      Effect.flatMap(currentTime, (now) =>
        read((tables) =>
          subscriptions
            .filter((subscription) => isSubscriptionDue(tables, subscription, now))
            .map(({ name, orgId }) => ({
              orgId,
              name,
              cursor: findSubscription(tables, { orgId, name })?.cursor ?? null
            }))
        )),
    claim: (key, leaseMs) =>
      Effect.map(
        updateIf(key, isAvailable, (subscription, now) => claimLease(subscription, now, leaseMs)),
        Option.map(Struct.omit("leaseUntil", "retryAt"))
      ),
    advance: (claim, cursor, leaseMs) =>
      updateClaimed(
        claim,
        (subscription, now) => ({ ...subscription, ...noFailures, cursor, leaseUntil: now + leaseMs })
      ),
    postpone: (claim, retryMs) =>
      updateClaimed(claim, (subscription, now) => ({
        ...subscription,
        failures: subscription.failures + 1,
        retryAt: now + retryMs,
        leaseUntil: null
      })),
    release: (claim, cursor) =>
      Effect.asVoid(updateClaimed(claim, (subscription) => ({
        ...subscription,
        ...(cursor === undefined ? {} : { ...noFailures, cursor }),
        leaseUntil: null
      })))
  }
})

const noFailures = { retryAt: null, failures: 0 } as const

const isAvailable = (subscription: Subscription, now: number): boolean =>
  isLeaseFree(subscription, now) && (subscription.retryAt === null || subscription.retryAt <= now)

const findSubscription = ({ subscriptions }: Tables, { name, orgId }: SubscriptionKey): Subscription | undefined =>
  Table.get(subscriptions, toOrgKey(orgId, name))

/** Returns true if a subscription does not exist yet, or if it can be claimed and has pending events. */
export const isSubscriptionDue = (tables: Tables, key: SubscriptionKey, now: number): boolean => {
  const subscription = findSubscription(tables, key)
  return subscription === undefined ||
    isAvailable(subscription, now) && lastEventId(tables, key.orgId) > subscription.cursor
}

const putSubscription = (tables: Tables, subscription: Subscription): Tables => ({
  ...tables,
  subscriptions: Table.put(tables.subscriptions, subscription)
})
