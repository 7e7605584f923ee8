/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EventLog, type StoredEvent } from "../port/EventLog.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"

/** How old an event must be before it is served (§6.2). */
const youngMs = 2000

/**
 * @since 0.1.0
 * @category services
 */
export class Events extends Context.Tag("@trailbook/core/Events")<
  Events,
  {
    /**
     * What happened after `after`, oldest first, up to H: the newest event that
     * is not young. `nextAfter` is where to go on (decision 9.6).
     */
    readonly list: (query: {
      readonly orgId: string
      readonly after: number
      readonly type: string | undefined
      readonly limit: number
    }) => Effect.Effect<{ readonly events: ReadonlyArray<StoredEvent>; readonly nextAfter: number }>
  }
>() {
  static readonly layer = Layer.effect(
    Events,
    Effect.map(EventLog, (log) =>
      Events.of({
        list: (query) =>
          Effect.gen(function*() {
            const now = yield* moment
            const young = { youngAfter: Instant.make(now - youngMs), youngBefore: Instant.make(now + youngMs) }
            const { events, head } = yield* log.page({ ...query, ...young })
            const full = events.length === query.limit ? events.at(-1) : undefined
            return { events, nextAfter: full?.id ?? Math.max(query.after, head) }
          })
      }))
  )
}
