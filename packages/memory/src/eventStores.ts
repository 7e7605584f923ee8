import { type SubscriptionClaim, type SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import { EventLog, type NewEvent, type StoredEvent } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { claimLease, isClaimOf, isLeaseFree, noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { requireRow, type Subscription, type Tables, toOrgKey } from "./Tables.ts"

/**
 * Transactions run one at a time, so IDs become visible in order without a counter. The next ID is the last ID plus 1.
 */
const eventLog = storeLayer(EventLog, ({ read, update, write }) => ({
  append: (events) => write((tables) => events.reduce(appendEvent, tables)),
  page: ({ after, limit, orgId, type, youngAfter, youngBefore }) =>
    read((tables) => {
      const events: Array<StoredEvent> = []
      for (const event of Table.range(tables.events, "id", orgId, { above: { at: after, id: "" } })) {
        const isYoung = youngAfter < event.createdAt && event.createdAt < youngBefore
        if (isYoung) return { events, nextAfter: event.id - 1 }
        if (type !== undefined && event.type !== type) continue
        events.push(event)
        if (events.length === limit) return { events, nextAfter: event.id }
      }
      return { events, nextAfter: Math.max(after, lastEventId(tables, orgId)) }
    }),
  latest: (orgId, limit) => read((tables) => Table.takeFirst(readNewestFirst(tables, orgId), limit).toReversed()),
  about: (orgId, person, after, limit) =>
    read(({ events }) =>
      Table.takeFirst(Table.range(events, "person", toOrgKey(orgId, person), { above: { at: after, id: "" } }), limit)
    ),
  latestAbout: (orgId, person, types, limit) =>
    read(({ events }) =>
      Table.takeFirst(
        Table.range(events, "person", toOrgKey(orgId, person), { order: "desc" }),
        limit,
        ({ type }) => types.includes(type)
      )
    ),
  relabel: (orgId, from, to) =>
    update("events", (events) =>
      [...Table.range(events, "person", toOrgKey(orgId, from))]
        .reduce((events, event) => Table.put(events, { ...event, person: to }), events)),
  rewrite: (orgId, changes) =>
    update("events", (events) =>
      changes.reduce(
        (events, { data, id }) => Table.change(events, toOrgKey(orgId, String(id)), (event) => ({ ...event, data })),
        events
      )),
  touch: (orgId) =>
    update("touches", (touches, tables) => {
      requireRow(tables.orgs, orgId)
      return Table.put(touches, { orgId, times: countTouches(tables, orgId) + 1 })
    }),
  heads: (orgIds) =>
    read((tables) =>
      [...new Set(orgIds)]
        .map((orgId) => ({ orgId, head: lastEventId(tables, orgId) + countTouches(tables, orgId) }))
        .filter(({ head }) => head > 0)
    )
}))

const countTouches = ({ touches }: Tables, orgId: string): number => Table.get(touches, orgId)?.times ?? 0

const readNewestFirst = ({ events }: Tables, orgId: string) => Table.range(events, "id", orgId, { order: "desc" })

/**
 * Returns the ID of an org's newest event, or 0 if the org has no events. The event may be too recent to be listed.
 */
export const lastEventId = (tables: Tables, orgId: string): number =>
  Table.takeFirst(readNewestFirst(tables, orgId), 1)[0]?.id ?? 0

const appendEvent = (tables: Tables, event: NewEvent): Tables => {
  requireRow(tables.orgs, event.orgId)
  return { ...tables, events: Table.put(tables.events, { ...event, id: lastEventId(tables, event.orgId) + 1 }) }
}

const subscriptionStore = storeLayer(SubscriptionStore, ({ read, unitOfWork, write }) => {
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

export const layer = Layer.mergeAll(eventLog, subscriptionStore)
