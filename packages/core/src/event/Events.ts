/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EventLog, type EventPage } from "../port/EventLog.ts"
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
     * What happened after `after`, oldest first, up to H: the event before the
     * first one that is young. `nextAfter` is where to go on.
     */
    readonly list: (query: {
      readonly orgId: string
      readonly after: number
      readonly type: string | undefined
      readonly limit: number
    }) => Effect.Effect<EventPage>
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
            return yield* log.page({ ...query, ...young })
          })
      }))
  )
}
