import { type SubscriptionClaim, type SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import { EventLog, type NewEvent, type StoredEvent } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { claimLease, isClaimOf, isLeaseFree, noLease } from "./Lease.ts"
import { tableLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import { putRow, type Subscription, type Tables, toOrgKey } from "./Tables.ts"

/**
 * Transactions run one at a time, so IDs become visible in order without a counter. The next ID is the last ID plus 1.
 */
const eventLog = tableLayer(EventLog, "events", (events, { read, write }) => ({
  append: (newEvents) => write((tables) => newEvents.reduce(appendEvent, tables)),
  page: ({ after, limit, orgId, type, youngAfter, youngBefore }) =>
    read((tables) => {
      const events: Array<StoredEvent> = []
      for (const event of Table.range(tables.events, "id", orgId, { above: Table.toPosition(after) })) {
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
    events.list("person", toOrgKey(orgId, person), { above: Table.toPosition(after), limit }),
  latestAbout: (orgId, person, types, limit) =>
    events.list("person", toOrgKey(orgId, person), {
      order: "desc",
      limit,
      where: ({ type }) => types.includes(type)
    }),
  relabel: (orgId, from, to) =>
    events.update((table) =>
      Table.list(table, "person", toOrgKey(orgId, from))
        .reduce((events, event) => Table.put(events, { ...event, person: to }), table)
    ),
  rewrite: (orgId, changes) =>
    events.update((table) =>
      changes.reduce(
        (events, { data, id }) => Table.change(events, toOrgKey(orgId, String(id)), (event) => ({ ...event, data })),
        table
      )
    ),
  touch: (orgId) =>
    write((tables) => ({
      ...tables,
      touches: putRow(tables, tables.touches, { orgId, times: countTouches(tables, orgId) + 1 })
    })),
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

const appendEvent = (tables: Tables, event: NewEvent): Tables => ({
  ...tables,
  events: putRow(tables, tables.events, { ...event, id: lastEventId(tables, event.orgId) + 1 })
})

const subscriptionStore = tableLayer(SubscriptionStore, "subscriptions", (rows, { read }) => {
  const updateClaimed = (claim: SubscriptionClaim, edit: (subscription: Subscription, now: number) => Subscription) =>
    Effect.map(
      rows.changeIf(
        toSubscriptionKey(claim),
        (subscription, now) => isClaimOf(claim, subscription) ? edit(subscription, now) : undefined
      ),
      Option.isSome
    )

  return {
    begin: (subscriptions) =>
      rows.update((table, tables) =>
        subscriptions.reduce((table, { from, name, orgId }) => {
          const cursor = from === "start" ? 0 : lastEventId(tables, orgId)
          return Table.get(table, toOrgKey(orgId, name)) === undefined
            ? putRow(tables, table, { orgId, name, cursor, ...noFailures, ...noLease })
            : table
        }, table)
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
        rows.changeIf(toSubscriptionKey(key), (subscription, now) =>
          isAvailable(subscription, now) ? claimLease(subscription, now, leaseMs) : undefined),
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

const toSubscriptionKey = ({ name, orgId }: SubscriptionKey): string => toOrgKey(orgId, name)

const findSubscription = ({ subscriptions }: Tables, key: SubscriptionKey): Subscription | undefined =>
  Table.get(subscriptions, toSubscriptionKey(key))

/** Returns true if a subscription does not exist yet, or if it can be claimed and has pending events. */
export const isSubscriptionDue = (tables: Tables, key: SubscriptionKey, now: number): boolean => {
  const subscription = findSubscription(tables, key)
  return subscription === undefined ||
    isAvailable(subscription, now) && lastEventId(tables, key.orgId) > subscription.cursor
}

export const layer = Layer.mergeAll(eventLog, subscriptionStore)
