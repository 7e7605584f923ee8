import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { bookingEvents } from "../booking/BookingView.ts"
import { yieldToEventLoop } from "../concurrency/scheduler.ts"
import { messageEvents } from "../conversation/message/MessageView.ts"
import { customerEvents } from "../customer/Customer.ts"
import { closureEvents } from "../offering/closure/Closure.ts"
import { discountEvents } from "../offering/discount/DiscountCode.ts"
import { offeringEvents } from "../offering/OfferingView.ts"
import { orgEvents } from "../org/OrgView.ts"
import { paymentEvents } from "../payment/ledger/LedgerEntry.ts"
import { EventLog, type EventPage, maxYoungEvents, type StoredEvent } from "../port/EventLog.ts"
import { largeRowPageSize } from "../port/readInPages.ts"
import { sessionEvents } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { dependsOn, exampleIds, Integer, Json, Timestamp } from "../wire/View.ts"

/** The minimum age of an event in the feed. */
const youngMs = 2000

/** The page size and the maximum number of pages for a search by type or time. */
const searchPageSize = 500
const maxPages = 20

/** A type that matches no event. */
const noType = "none"

/**
 * How much earlier an event's time can be than the time of its predecessor. IDs follow the commit order, so the times
 * are not strictly sorted.
 */
const disorderMs = 60_000

export class Events extends Context.Tag("@trailbook/core/Events")<
  Events,
  {
    /**
     * Returns the events after `after`, oldest first, up to H. H is the last event before the first young one.
     * `nextAfter` is the cursor for the next page.
     */
    readonly list: (query: {
      readonly orgId: string
      readonly after: number
      readonly type?: string | undefined
      readonly limit: number
    }) => Effect.Effect<EventPage>
    /**
     * Returns the newest events up to H, newest first. They can be filtered by `before`, `since`, and `type`.
     * `nextBefore` is the cursor for the next page, if one may exist. `nextAfter` is the cursor from which `list`
     * continues.
     */
    readonly latest: (query: {
      readonly orgId: string
      readonly before?: number | undefined
      readonly since?: Instant.Instant | undefined
      readonly type?: string | undefined
      readonly limit: number
    }) => Effect.Effect<{
      readonly events: ReadonlyArray<StoredEvent>
      readonly nextAfter: number
      readonly nextBefore?: number
    }>
  }
>() {
  static readonly layer = Layer.effect(
    Events,
    Effect.map(EventLog, (log) => {
      const loadPage = (query: Omit<Parameters<EventLog["Type"]["page"]>[0], "youngAfter" | "youngBefore">) =>
        Effect.gen(function*() {
          const now = yield* currentTime
          const youngRange = { youngAfter: Instant.make(now - youngMs), youngBefore: Instant.make(now + youngMs) }
          const events: Array<StoredEvent> = []
          let { after } = query
          while (true) {
            // Read a long page in steps and yield between them, because each event can contain 16 KiB of metadata.
            const limit = Math.min(largeRowPageSize, query.limit - events.length)
            const chunk = yield* log.page({ ...query, ...youngRange, after, limit })
            for (const event of chunk.events) events.push(event)
            after = chunk.nextAfter
            if (chunk.events.length < limit || events.length === query.limit) return { events, nextAfter: after }
            yield* yieldToEventLoop
          }
        })

      /** Returns H. A page without events ends at H, provided that it starts before any event that could be young. */
      const loadHead = (orgId: string) =>
        Effect.gen(function*() {
          const [newest] = yield* log.latest(orgId, 1)
          if (newest === undefined) return 0
          const { nextAfter } = yield* loadPage({
            orgId,
            after: Math.max(0, newest.id - maxYoungEvents),
            type: noType,
            limit: 1
          })
          return nextAfter
        })

      return Events.of({
        list: loadPage,
        latest: ({ before = Infinity, limit, orgId, since, type }) =>
          Effect.gen(function*() {
            const head = yield* loadHead(orgId)
            const matches: Array<StoredEvent> = []
            // IDs are consecutive, so the start of a page can be computed from the ID of its last event.
            const width = since === undefined && type === undefined ? limit : searchPageSize
            let top = Math.min(before - 1, head)
            for (let pages = 0; pages < maxPages && top > 0; pages++) {
              const after = Math.max(0, top - width)
              const { events } = yield* loadPage({ orgId, after, limit: top - after })
              for (const event of events.toReversed()) {
                if (
                  (since !== undefined && event.createdAt < since) || (type !== undefined && event.type !== type)
                ) continue
                if (matches.length === limit) {
                  return { events: matches, nextAfter: head, nextBefore: matches.at(-1)?.id ?? 1 }
                }
                matches.push(event)
              }
              const [oldest] = events
              top = oldest !== undefined && since !== undefined && oldest.createdAt < since - disorderMs ? 0 : after
            }
            return { events: matches, nextAfter: head, ...(top > 0 ? { nextBefore: top + 1 } : {}) }
          })
      })
    })
  )
}

/** All event types, in the order of the reference. */
export const eventDefinitions = [
  ...bookingEvents,
  ...paymentEvents,
  ...messageEvents,
  ...sessionEvents,
  ...offeringEvents,
  ...closureEvents,
  ...discountEvents,
  ...customerEvents,
  ...orgEvents
] as const

export type EventType = (typeof eventDefinitions)[number]["type"]

export const eventTypes: ReadonlyArray<EventType> = eventDefinitions.map(({ type }) => type)

const dataOf = new Map<unknown, Schema.Schema.AnyNoContext>(eventDefinitions.map(({ data, type }) => [type, data]))

/** The API representation of an event. */
export const EventView = Schema.Struct({
  id: withDescription(
    "the event ID, sequential per outfitter and without gaps. Deliveries with the same ID contain the same event",
    Integer,
    45
  ),
  type: withDescription(
    "the event type. Future versions can add types",
    Schema.String,
    "booking.confirmed"
  ),
  data: withDescription(
    "the resource after the change",
    dependsOn(({ type }) => dataOf.get(type))(Json),
    { id: exampleIds.booking, status: "confirmed" }
  ),
  created_at: withDescription("when the event happened", Timestamp)
}).annotations({ identifier: "Event" })
export type EventView = typeof EventView.Type

export const eventView: (event: StoredEvent) => EventView = makeViewMapper(EventView)
