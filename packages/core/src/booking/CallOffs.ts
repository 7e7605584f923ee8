/**
 * What an outfitter calls off: a session, or an offering for good. Every booking
 * that hangs on it is cancelled in the same unit of work (§3.1, §4.1, decision
 * 5.15), under the locks that selling a place takes too, so no booking slips in.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { notBefore } from "../capacity/judged.ts"
import * as Decider from "../Decider.ts"
import { offeringDecider, type OfferingRefusals } from "../offering/OfferingDecider.ts"
import { offeringEvent } from "../offering/Offerings.ts"
import { type Key, OfferingStore } from "../offering/OfferingStore.ts"
import { EventLog, type NewEvent } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { Outbox } from "../port/Outbox.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import { sessionDecider } from "../session/SessionDecider.ts"
import { sessionEvent } from "../session/Sessions.ts"
import { SessionStore } from "../session/SessionStore.ts"
import type { Instant } from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { isLive } from "./Booking.ts"
import { BookingStore } from "./BookingStore.ts"
import type { BookingRecord } from "./BookingView.ts"
import { cancelAll } from "./cancelAll.ts"

/**
 * How many bookings a deletion cancelled, and how many of those were paid online
 * and are refunded in full.
 *
 * @since 0.1.0
 * @category models
 */
export interface Deletion {
  readonly cancelled: number
  readonly refunded: number
}

/**
 * @since 0.1.0
 * @category services
 */
export class CallOffs extends Context.Tag("@trailbook/core/CallOffs")<
  CallOffs,
  {
    /** Cancels a session with every booking in it; safe to repeat. */
    readonly session: (key: Key) => Effect.Effect<Session, Refusal<"not_found">>
    /** Deletes an offering, its coming sessions and its upcoming bookings. */
    readonly offering: (
      key: Key,
      cancelBookings: boolean
    ) => Effect.Effect<Deletion, Refusal<"not_found"> | OfferingRefusals["Delete"]>
  }
>() {
  static readonly layer = Layer.effect(
    CallOffs,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const ids = yield* Ids
      const log = yield* EventLog
      const offerings = yield* OfferingStore
      const outbox = yield* Outbox
      const sessions = yield* SessionStore
      const { run } = yield* UnitOfWork

      /** Writes cancelled sessions and bookings and says what the feed has to tell, in this order. */
      const cancel = (called: ReadonlyArray<Session>, records: ReadonlyArray<BookingRecord>, now: Instant) =>
        Effect.gen(function*() {
          const events: Array<NewEvent> = []
          const changed: Array<Session> = []
          for (const session of called) {
            const { events: decided, state } = Either.getOrThrow(
              Decider.run(sessionDecider)(session, { _tag: "Cancel" })
            )
            events.push(...decided.map(({ _tag }) => sessionEvent(state, _tag, now)))
            if (decided.length > 0) changed.push(state)
          }
          const cancelled = cancelAll(records, now, ids.uuid)
          if (changed.length > 0) yield* sessions.put(changed)
          if (cancelled.bookings.length > 0) yield* bookings.put(cancelled.bookings)
          if (cancelled.errands.length > 0) yield* outbox.add(cancelled.errands)
          return {
            events: [...events, ...cancelled.events],
            cancelled: cancelled.bookings.length,
            refunded: cancelled.refunded
          }
        })

      return CallOffs.of({
        session: (key) =>
          run(Effect.gen(function*() {
            const [session] = yield* sessions.lock([key])
            if (session === undefined) return yield* notFound("session", key.id)
            if (session.status === "cancelled") return session
            const { events } = yield* cancel([session], yield* bookings.lockInSession(key), yield* moment)
            yield* log.append(events)
            return { ...session, status: "cancelled" as const }
          })),
        offering: (key, cancelBookings) =>
          run(Effect.gen(function*() {
            const [offering] = yield* offerings.lock([key])
            if (offering === undefined || offering.deletedAt !== null) return yield* notFound("offering", key.id)
            const coming = yield* sessions.lockComing(key, yield* moment)
            const now = yield* moment
            const records = yield* bookings.lockUpcoming(key, now)
            const upcoming = records.filter(({ booking }) => booking.status === "confirmed").length
            const places = new Map(coming.map((session) => [session.id, session]))
            const holds = records.filter(({ booking }) =>
              booking.status === "held" &&
              isLive(booking, notBefore(now, places.get(booking.sessionId ?? "") ?? offering))
            ).length
            const decided = Decider.run(offeringDecider)(offering, {
              _tag: "Delete",
              now,
              upcoming,
              holds,
              cancelBookings
            })
            if (Either.isLeft(decided)) return yield* Effect.fail(decided.left)
            const { events, state } = decided.right
            const told = yield* cancel(coming, records, now)
            yield* offerings.put([state])
            yield* log.append([...told.events, ...events.map(({ _tag }) => offeringEvent(state, _tag, now))])
            return { cancelled: told.cancelled, refunded: told.refunded }
          }))
      })
    })
  )
}
