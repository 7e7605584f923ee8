/**
 * Cancels a session, or deletes an offering, together with all of its bookings. The session or offering is closed under
 * the same locks that a booking takes, so no booking can be added in the meantime.
 *
 * A small cancellation is one transaction. For a large cancellation, the first transaction only closes the session or
 * offering. The bookings are then canceled in chunks (`makeCancelBookingChunk`), first by the request itself and then
 * by a worker. A single large transaction would block other requests, and it could exceed the database timeouts on
 * every retry.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { yieldToEventLoop } from "../../concurrency/scheduler.ts"
import * as Decider from "../../Decider.ts"
import { makePhotoRemovalTasks } from "../../file/Photos.ts"
import {
  ChunkSize,
  defineStoredJob,
  type JobChunkResult,
  type JobRunner,
  type ResumableJob
} from "../../job/defineJob.ts"
import { offeringDecider, type OfferingRefusals } from "../../offering/OfferingDecider.ts"
import { makeOfferingEvent } from "../../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../../Refusal.ts"
import { type Session, SessionStore } from "../../session/Session.ts"
import { TaskStore } from "../../task/Tasks.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { type Position, toStartPosition } from "../../wire/Cursor.ts"
import { type Booking, bookingStatuses } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import { makeStoreCancellations } from "./storeCancellations.ts"

/**
 * The number of canceled bookings, and how many of them were paid online and are therefore refunded in full. `pending`
 * is the number of bookings that a worker has yet to cancel. `cancelled` includes these bookings, because the offering
 * can no longer be booked.
 */
export interface OfferingDeletionResult {
  readonly cancelled: number
  readonly refunded: number
  readonly pending: number
}

export class Cancellations extends Context.Tag("@trailbook/core/Cancellations")<
  Cancellations,
  {
    /** Cancels a session and its bookings. The call is idempotent. */
    readonly cancelSession: (key: OrgKey) => Effect.Effect<Session, Refusal<"not_found">>
    /**
     * Deletes an offering with its upcoming sessions and bookings. If bookings are still pending, a repeated call
     * continues the work.
     */
    readonly deleteOffering: (
      key: OrgKey,
      cancelBookings: boolean
    ) => Effect.Effect<OfferingDeletionResult, Refusal<"not_found"> | OfferingRefusals["Delete"]>
    readonly jobs: Readonly<Record<"session" | "offering", JobRunner<ResumableJob>>>
  }
>() {
  static readonly layer = Layer.effect(Cancellations, Effect.suspend(() => makeCancellations))
}

const makeCancellations = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const cancel = yield* makeStoreCancellations
  const ids = yield* Ids
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const sessions = yield* SessionStore
  const step = yield* makeCancelBookingChunk
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork
  const sessionJob = yield* defineStoredJob({ subject: "session", from: { phase: "held" }, step, patienceMs })
  const offeringJob = yield* defineStoredJob({ subject: "offering", from: { phase: "sessions" }, step, patienceMs })

  /**
   * Returns whether a session has more bookings than fit in one chunk. The session is locked, so no bookings are
   * added.
   */
  const isOverChunkSize = ({ id: sessionId, orgId }: OrgKey) =>
    Effect.gen(function*() {
      const size = yield* ChunkSize
      const pages = yield* Effect.forEach(bookingStatuses.filter((status) => status !== "cancelled"), (status) =>
        bookings.list({ orgId, sessionId, status, order: "asc", limit: size + 1 }))
      return pages.flat().length > size
    })

  const closeSession = (key: OrgKey) =>
    Effect.gen(function*() {
      const [session] = yield* sessions.lock([key])
      if (session === undefined) return yield* notFound("session", key.id)
      if (session.status === "cancelled") return { session, job: yield* sessionJob.find(key) }
      const isOverLimit = yield* isOverChunkSize(key)
      const records = isOverLimit ? [] : yield* bookings.lockInSession(key)
      const now = yield* currentTime
      const { events } = yield* cancel([session], records, now)
      const job = isOverLimit ? yield* sessionJob.begin(key, now) : undefined
      yield* log.append(events)
      return { session: { ...session, status: "cancelled" as const }, job }
    })

  /**
   * Closes an offering. `earlierCount` is the count from before the transaction. If there are many bookings, it is
   * used to avoid a long count under the lock.
   */
  const closeOffering = (key: OrgKey, cancelBookings: boolean, earlierCount: UpcomingCount) =>
    Effect.gen(function*() {
      const [offering] = yield* offerings.lock([key])
      if (offering === undefined) return yield* notFound("offering", key.id)
      if (offering.deletedAt !== null) {
        return { job: (yield* offeringJob.find(key)) ?? (yield* notFound("offering", key.id)) }
      }
      const upcomingSessions = yield* sessions.lockUpcoming(key, yield* currentTime)
      const now = yield* currentTime
      const size = yield* ChunkSize
      const currentCount = yield* countUpcoming(bookings, key, now, size + 1)
      const { confirmed: upcoming, holds } = computeTotal(currentCount) > size && computeTotal(earlierCount) > size
        ? earlierCount
        : currentCount
      const { events, state } = yield* Decider.run(offeringDecider)(offering, {
        _tag: "Delete",
        now,
        upcoming,
        holds,
        cancelBookings
      })
      yield* tasks.add(makePhotoRemovalTasks(ids, key, offering.photos, now))
      if (upcomingSessions.length + computeTotal(currentCount) > size) {
        yield* offerings.put([state])
        return { job: yield* offeringJob.begin(key, now) }
      }
      const result = yield* cancel(upcomingSessions, yield* bookings.lockUpcoming(key, now), now)
      yield* offerings.put([state])
      yield* log.append([...result.events, ...events.map(({ _tag }) => makeOfferingEvent(state, _tag, now))])
      return { deleted: { cancelled: result.cancelled, refunded: result.refunded, pending: 0 } }
    })

  return Cancellations.of({
    cancelSession: (key) => Effect.map(sessionJob.start(run(closeSession(key))), ({ session }) => session),
    deleteOffering: (key, cancelBookings) =>
      Effect.gen(function*() {
        // The count is only needed to report how many bookings block the deletion.
        const earlierCount = cancelBookings ? noBookings : yield* countUpcoming(bookings, key, yield* currentTime)
        const { deleted, isDone, job } = yield* offeringJob.start(run(closeOffering(key, cancelBookings, earlierCount)))
        if (job === undefined) return deleted
        const remainingCount = isDone ? noBookings : yield* countUpcoming(bookings, key, job.begunAt)
        const pending = computeTotal(remainingCount)
        return { cancelled: job.cancelled + pending, refunded: job.refunded + remainingCount.paid, pending }
      }),
    jobs: { session: sessionJob, offering: offeringJob }
  })
})

/**
 * How long a request runs chunks itself before it leaves the rest to a worker, in milliseconds. Clients time out after
 * 10 seconds, and some proxies time out after 30 seconds.
 */
const patienceMs = 5000

const noBookings = { confirmed: 0, holds: 0, expired: 0, paid: 0 }

/**
 * The number of bookings that deleting an offering would cancel: upcoming confirmed bookings, live holds, and expired
 * holds. `paid` is how many of them were paid online.
 */
interface UpcomingCount {
  readonly confirmed: number
  readonly holds: number
  readonly expired: number
  readonly paid: number
}

/**
 * Counts the upcoming bookings for an offering, up to `maxCount`. Counts in pages of 1,000 and yields to the event loop
 * between pages. Do not count large numbers of bookings inside a transaction.
 */
const countUpcoming = (
  bookings: Pick<BookingStore["Type"], "countUpcoming">,
  offering: OrgKey,
  now: Instant.Instant,
  maxCount = Infinity
): Effect.Effect<UpcomingCount> =>
  Effect.gen(function*() {
    const total = { confirmed: 0, holds: 0, expired: 0, paid: 0 }
    for (const status of ["held", "confirmed"] as const) {
      let after: Position | undefined
      do {
        const limit = Math.min(countPageSize, maxCount - computeTotal(total))
        if (limit === 0) return total
        if (after !== undefined) yield* yieldToEventLoop
        const { count, expired, next, paid } = yield* bookings.countUpcoming(offering, { status, now, after, limit })
        total[status === "held" ? "holds" : "confirmed"] += count - expired
        total.expired += expired
        total.paid += paid
        after = next
      } while (after !== undefined)
    }
    return total
  })

const computeTotal = ({ confirmed, expired, holds }: UpcomingCount): number => confirmed + holds + expired

/** The page size for counting bookings. */
const countPageSize = 1000

/** The start of a chunk. */
interface ChunkCursor {
  readonly phase: "sessions" | "held" | "confirmed" | "end"
  /** The position after which the chunk starts. Undefined for the first chunk in a phase. */
  readonly after?: Position | undefined
}

const nextPhases = { sessions: "held", held: "confirmed", confirmed: "end" } as const

/**
 * Cancels the bookings for a large session or offering in chunks, with one transaction per chunk. The offering is
 * already deleted, or the session is already canceled, so no bookings are added.
 *
 * The phases are upcoming sessions, holds, confirmed bookings, and the end. A hold that is confirmed in the meantime is
 * found when the confirmed bookings are processed. Bookings cannot move within canceled sessions or offerings, so each
 * chunk starts where the previous one ended. A resumed job starts at the first phase and skips canceled rows.
 */
const makeCancelBookingChunk = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const cancel = yield* makeStoreCancellations
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const sessions = yield* SessionStore

  const nextCursor = (phase: keyof typeof nextPhases, rows: ReadonlyArray<Position>, size: number): ChunkCursor => {
    const last = rows.at(-1)
    return last === undefined || rows.length < size ? { phase: nextPhases[phase] } : { phase, after: last }
  }

  const cancelSessions = (
    { begunAt, id: offeringId, orgId }: ResumableJob,
    after: Position | undefined,
    size: number
  ) =>
    Effect.gen(function*() {
      const now = yield* currentTime
      const page = yield* sessions.list({
        orgId,
        offeringId,
        from: Instant.make(begunAt + 1),
        status: "scheduled",
        after,
        limit: size,
        now
      })
      const rows = yield* sessions.lock(page.map(({ session }) => session))
      return {
        next: nextCursor("sessions", page.map(({ session }) => toStartPosition(session)), size),
        changes: yield* cancel(rows, [], now)
      }
    })

  const cancelBookings = (job: ResumableJob, status: "held" | "confirmed", after: Position | undefined, size: number) =>
    Effect.gen(function*() {
      const { begunAt, id, orgId, subject } = job
      const page = yield* bookings.list({
        orgId,
        offeringId: subject === "offering" ? id : undefined,
        sessionId: subject === "session" ? id : undefined,
        from: subject === "offering" && status === "confirmed" ? Instant.make(begunAt + 1) : undefined,
        status,
        order: "asc",
        after,
        limit: size
      })
      const records = yield* bookings.lock(page.map(({ booking }) => booking))
      return {
        next: nextCursor(status, page.map(({ booking }) => toStartPosition(booking)), size),
        changes: yield* cancel([], records.filter(({ booking }) => isInScope(job, booking)), yield* currentTime)
      }
    })

  /** Appends an offering's deletion event, after all of its bookings are canceled. */
  const publishDeletion = ({ id, orgId, subject }: ResumableJob) =>
    subject !== "offering"
      ? Effect.void
      : Effect.gen(function*() {
        const now = yield* currentTime
        const rows = yield* offerings.find([{ orgId, id }])
        yield* log.append(rows.map((offering) => makeOfferingEvent(offering, "offering.deleted", now)))
      })

  return (job: ResumableJob, { after, phase }: ChunkCursor, size: number): Effect.Effect<JobChunkResult<ChunkCursor>> =>
    Effect.gen(function*() {
      if (phase === "end") return { publish: publishDeletion(job) }
      const { changes: { events, ...counts }, next } = phase === "sessions"
        ? yield* cancelSessions(job, after, size)
        : yield* cancelBookings(job, phase, after, size)
      return { next, ...counts, publish: log.append(events) }
    })
})

/** Returns whether the job must cancel this booking. The row may have changed since it was listed. */
const isInScope = ({ begunAt, id, subject }: ResumableJob, booking: Booking): boolean => {
  if (booking.status === "cancelled") return false
  if (subject === "session") return booking.sessionId === id
  return booking.status === "held" || booking.startsAt > begunAt
}
