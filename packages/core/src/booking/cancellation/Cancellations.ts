/**
 * Cancels a session, or deletes an offering, with all of its bookings. No new booking can slip in, because the session
 * or offering is closed under the locks that a booking takes.
 *
 * A small cancellation is one transaction. A large one is closed in a first transaction, and its bookings are canceled
 * in chunks (`makeCancelChunk`), by the request itself and then by a worker. A single large transaction would block
 * other requests, and could exceed the timeouts of the database on every retry.
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
import { TransactionContext } from "../../port/TransactionContext.ts"
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
 * The number of canceled bookings, and how many of them were paid online and are refunded in full. `pending` is the
 * number that a worker still cancels. They are counted as canceled, because the offering can no longer be booked.
 */
export interface Deletion {
  readonly cancelled: number
  readonly refunded: number
  readonly pending: number
}

export class Cancellations extends Context.Tag("@trailbook/core/Cancellations")<
  Cancellations,
  {
    /** Cancels a session and its bookings. Safe to repeat. */
    readonly session: (key: OrgKey) => Effect.Effect<Session, Refusal<"not_found">>
    /**
     * Deletes an offering with its upcoming sessions and bookings. A repeat while bookings are pending continues the
     * work.
     */
    readonly offering: (
      key: OrgKey,
      cancelBookings: boolean
    ) => Effect.Effect<Deletion, Refusal<"not_found"> | OfferingRefusals["Delete"]>
    /** Continues a started cancellation until it is finished or, checked between two chunks, `over` is true. */
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

      /**
       * Runs chunks until `patienceMs` has passed. Runs none if the owner of the enclosing transaction finishes the work.
       */
      const whileAsked = (row: ResumableJob) =>
        Effect.gen(function*() {
          const onJobStarted = (yield* TransactionContext)?.onJobStarted
          onJobStarted?.(row.id)
          return yield* onJobStarted === undefined
            ? Effect.flatMap(deadlineIn(patienceMs), (over) => goOn(row, over))
            : Effect.succeed({ isDone: false, last: row })
        })

      const begun = (key: ResumableJobKey, now: Instant) =>
        Effect.tap(
          Effect.succeed<ResumableJob>({ ...key, begunAt: now, touchedAt: now, cancelled: 0, refunded: 0 }),
          unfinished.put
        )

      /** Whether a session has more bookings than fit in one chunk. The session is locked, so no bookings are added. */
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

      /**
       * `known` is the count from before the transaction. It is used if there are many bookings, to avoid a long count
       * under the lock.
       */
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
            // The count is only needed to report how many bookings block the deletion.
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

/** How long a request runs chunks, in milliseconds. Clients give up after 10 seconds, and a proxy can after 30. */
const patienceMs = 5000

const nothing = { confirmed: 0, holds: 0, expired: 0, paid: 0 }
