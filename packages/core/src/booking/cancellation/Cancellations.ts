/**
 * What an outfitter calls off: a session, or an offering for good. Every booking
 * that hangs on it is cancelled, and none slips in: the
 * door is closed under the locks that selling a place takes too.
 *
 * What is small is one unit of work. What is large is closed in a first one, and
 * its bookings follow in parts (`makeCancelChunk`), by the request that began it or
 * else by a worker: in one unit everybody would wait for it, and were it too
 * large for a database's patience, no repetition would ever get through.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Decider from "../../Decider.ts"
import { ChunkSize, deadlineIn, runInChunks } from "../../job/chunkedWork.ts"
import { type ResumableJob, type ResumableJobKey, ResumableJobStore } from "../../job/ResumableJobStore.ts"
import { offeringDecider, type OfferingRefusals } from "../../offering/OfferingDecider.ts"
import { offeringEvent } from "../../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { Joined } from "../../port/Joined.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../../Refusal.ts"
import type { Session } from "../../session/Session.ts"
import { SessionStore } from "../../session/SessionStore.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Instant } from "../../time/Instant.ts"
import { statuses } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import { firstChunk, makeCancelChunk } from "./cancelChunk.ts"
import { countUpcoming, totalUpcoming, type UpcomingCount } from "./countUpcoming.ts"
import { makeStoreCancelled } from "./storeCancelled.ts"

/**
 * How many bookings a deletion cancels, and how many of those were paid online and
 * are refunded in full. Of a large one some are `pending` yet: nothing can be booked
 * there any more, and their cancelling goes on by itself.
 */
export interface Deletion {
  readonly cancelled: number
  readonly refunded: number
  readonly pending: number
}

export class Cancellations extends Context.Tag("@trailbook/core/Cancellations")<
  Cancellations,
  {
    /** Cancels a session with every booking in it; safe to repeat. */
    readonly session: (key: OrgKey) => Effect.Effect<Session, Refusal<"not_found">>
    /** Deletes an offering, its coming sessions and its upcoming bookings; repeated while some are pending, it goes on. */
    readonly offering: (
      key: OrgKey,
      cancelBookings: boolean
    ) => Effect.Effect<Deletion, Refusal<"not_found"> | OfferingRefusals["Delete"]>
    /** Goes on with one that was begun until it is finished or, asked between two parts, it is `over`. */
    readonly resume: (row: ResumableJob, over: Effect.Effect<boolean>) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    Cancellations,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const cancel = yield* makeStoreCancelled
      const log = yield* EventLog
      const offerings = yield* OfferingStore
      const part = yield* makeCancelChunk
      const sessions = yield* SessionStore
      const unfinished = yield* ResumableJobStore
      const unitOfWork = yield* UnitOfWork
      const { run } = unitOfWork
      const inParts = runInChunks(unitOfWork)

      const goOn = (row: ResumableJob, over: Effect.Effect<boolean>) =>
        Effect.gen(function*() {
          let last = row
          const isDone = yield* inParts(firstChunk(row), (at) =>
            Effect.map(part(row, at), ({ at, row }) => {
              last = row ?? last
              return at
            }), over)
          return { isDone, last }
        })

      /** As far as it comes while somebody waits for the answer, and no further within a unit that others wait for. */
      const whileAsked = (row: ResumableJob) =>
        Effect.gen(function*() {
          const joined = yield* Joined
          joined?.hasBegun(row.id)
          return yield* joined === undefined
            ? Effect.flatMap(deadlineIn(patienceMs), (over) => goOn(row, over))
            : Effect.succeed({ isDone: false, last: row })
        })

      const begun = (key: ResumableJobKey, now: Instant) =>
        Effect.tap(
          Effect.succeed<ResumableJob>({ ...key, begunAt: now, touchedAt: now, cancelled: 0, refunded: 0 }),
          unfinished.put
        )

      /** Whether a session has more bookings than a part may have. It is locked: they become no more. */
      const isLarge = ({ id: sessionId, orgId }: OrgKey) =>
        Effect.gen(function*() {
          const size = yield* ChunkSize
          const found = yield* Effect.forEach(statuses.filter((status) => status !== "cancelled"), (status) =>
            bookings.list({ orgId, sessionId, status, order: "asc", limit: size + 1 }))
          return found.flat().length > size
        })

      const closeSession = (key: OrgKey) =>
        Effect.gen(function*() {
          const [session] = yield* sessions.lock([key])
          if (session === undefined) return yield* notFound("session", key.id)
          const subject = { orgId: key.orgId, subject: "session" as const, id: key.id }
          if (session.status === "cancelled") {
            return { session, row: Option.getOrUndefined(yield* unfinished.find(subject)) }
          }
          const large = yield* isLarge(key)
          const records = large ? [] : yield* bookings.lockInSession(key)
          const now = yield* currentTime
          const { events } = yield* cancel([session], records, now)
          const row = large ? yield* begun(subject, now) : undefined
          yield* log.append(events)
          return { session: { ...session, status: "cancelled" as const }, row }
        })

      /** `known` is what was counted before where it is much: nobody is to wait until that is counted under the lock. */
      const closeOffering = (key: OrgKey, cancelBookings: boolean, known: UpcomingCount) =>
        Effect.gen(function*() {
          const [offering] = yield* offerings.lock([key])
          if (offering === undefined) return yield* notFound("offering", key.id)
          const subject = { orgId: key.orgId, subject: "offering" as const, id: key.id }
          if (offering.deletedAt !== null) {
            const row = Option.getOrUndefined(yield* unfinished.find(subject))
            return row === undefined ? yield* notFound("offering", key.id) : { row }
          }
          const coming = yield* sessions.lockComing(key, yield* currentTime)
          const now = yield* currentTime
          const size = yield* ChunkSize
          const few = yield* countUpcoming(bookings, key, now, size + 1)
          const { confirmed: upcoming, holds } = totalUpcoming(few) > size && totalUpcoming(known) > size ? known : few
          const { events, state } = yield* Decider.run(offeringDecider)(offering, {
            _tag: "Delete",
            now,
            upcoming,
            holds,
            cancelBookings
          })
          if (coming.length + totalUpcoming(few) > size) {
            yield* offerings.put([state])
            return { row: yield* begun(subject, now) }
          }
          const told = yield* cancel(coming, yield* bookings.lockUpcoming(key, now), now)
          yield* offerings.put([state])
          yield* log.append([...told.events, ...events.map(({ _tag }) => offeringEvent(state, _tag, now))])
          return { deleted: { cancelled: told.cancelled, refunded: told.refunded, pending: 0 } }
        })

      return Cancellations.of({
        session: (key) =>
          Effect.gen(function*() {
            const { row, session } = yield* run(closeSession(key))
            if (row !== undefined) yield* whileAsked(row)
            return session
          }),
        offering: (key, cancelBookings) =>
          Effect.gen(function*() {
            // Whoever means to cancel them is not told how many there are.
            const known = cancelBookings ? nothing : yield* countUpcoming(bookings, key, yield* currentTime)
            const { deleted, row } = yield* run(closeOffering(key, cancelBookings, known))
            if (row === undefined) return deleted
            const { isDone, last } = yield* whileAsked(row)
            const rest = isDone ? nothing : yield* countUpcoming(bookings, key, row.begunAt)
            const pending = totalUpcoming(rest)
            return { cancelled: last.cancelled + pending, refunded: last.refunded + rest.paid, pending }
          }),
        resume: (row, over) => Effect.asVoid(goOn(row, over))
      })
    })
  )
}

/** For so long a request goes on with parts: clients give up after ten seconds, and a proxy may after thirty. */
const patienceMs = 5000

const nothing = { confirmed: 0, holds: 0, expired: 0, paid: 0 }
