import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { yieldToEventLoop } from "../concurrency/yieldToEventLoop.ts"
import { EventLog, type EventPage, maxUnsettled, type StoredEvent } from "../port/EventLog.ts"
import { largeRowPageSize } from "../port/readInPages.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"

/** How old an event must be before it is served. */
const youngMs = 2000

/** How many events are looked through at once, and how often, for those of a type or since a moment. */
const widest = 500
const maxPages = 20

/** No event has it. */
const noType = "none"

/** Ids are in the order of commits, and an event may have been decided a little before the one before it. */
const disorderMs = 60_000

/**
 * @category services
 */
export class Events extends Context.Tag("@trailbook/core/Events")<
  Events,
  {
    /**
     * What happened after `after`, oldest first, up to H: the event before the
     * first one that is young. `nextAfter` is where to go on.
     */
    readonly list: (query: {
      readonly orgId: string
      readonly after: number
      readonly type?: string | undefined
      readonly limit: number
    }) => Effect.Effect<EventPage>
    /**
     * What happened lately, newest first and up to H as well: before an event, since a moment, of a type. `nextBefore` is
     * where to go on, while there may be more; `nextAfter` is where `list` goes on from here.
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
      const page = (query: Omit<Parameters<EventLog["Type"]["page"]>[0], "youngAfter" | "youngBefore">) =>
        Effect.gen(function*() {
          const now = yield* currentTime
          const young = { youngAfter: Instant.make(now - youngMs), youngBefore: Instant.make(now + youngMs) }
          const events: Array<StoredEvent> = []
          let { after } = query
          while (true) {
            // Others get their turn between the steps of a long page: each event may hold 16 KiB of metadata.
            const limit = Math.min(largeRowPageSize, query.limit - events.length)
            const some = yield* log.page({ ...query, ...young, after, limit })
            for (const event of some.events) events.push(event)
            after = some.nextAfter
            if (some.events.length < limit || events.length === query.limit) return { events, nextAfter: after }
            yield* yieldToEventLoop
          }
        })

      /** H: the end of a page that has no events of its own, begun below all that can be young. */
      const headOf = (orgId: string) =>
        Effect.gen(function*() {
          const [newest] = yield* log.latest(orgId, 1)
          if (newest === undefined) return 0
          const { nextAfter } = yield* page({
            orgId,
            after: Math.max(0, newest.id - maxUnsettled),
            type: noType,
            limit: 1
          })
          return nextAfter
        })

      return Events.of({
        list: page,
        latest: ({ before = Infinity, limit, orgId, since, type }) =>
          Effect.gen(function*() {
            const head = yield* headOf(orgId)
            const found: Array<StoredEvent> = []
            // Ids count up by one, so a page of so many before an event begins where their number says.
            const width = since === undefined && type === undefined ? limit : widest
            let top = Math.min(before - 1, head)
            for (let pages = 0; pages < maxPages && top > 0; pages++) {
              const after = Math.max(0, top - width)
              const { events } = yield* page({ orgId, after, limit: top - after })
              for (const event of events.toReversed()) {
                if (
                  (since !== undefined && event.createdAt < since) || (type !== undefined && event.type !== type)
                ) continue
                if (found.length === limit) return { events: found, nextAfter: head, nextBefore: found.at(-1)?.id ?? 1 }
                found.push(event)
              }
              const [oldest] = events
              top = oldest !== undefined && since !== undefined && oldest.createdAt < since - disorderMs ? 0 : after
            }
            return { events: found, nextAfter: head, ...(top > 0 ? { nextBefore: top + 1 } : {}) }
          })
      })
    })
  )
}
