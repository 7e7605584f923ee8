/**
 * Cancels the bookings for a large session or offering in chunks, with one transaction per chunk. The offering is
 * already deleted, or the session is already canceled, so no bookings are added.
 *
 * The phases are upcoming sessions, holds, confirmed bookings, and the end. A hold that is confirmed in the meantime is
 * found when the confirmed bookings are processed. Bookings cannot move within canceled sessions or offerings, so each
 * chunk starts where the previous one ended. A resumed job starts at the first phase and skips canceled rows.
 */
import * as Effect from "effect/Effect"
import type { JobChunkResult, ResumableJob } from "../../job/defineJob.ts"
import { makeOfferingEvent } from "../../offering/Offerings.ts"
import { OfferingStore } from "../../offering/OfferingStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { SessionStore } from "../../session/Session.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { type Position, toStartPosition } from "../../wire/Cursor.ts"
import type { Booking } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import { makeStoreCancellations } from "./storeCancellations.ts"

/** The start of a chunk. */
interface ChunkCursor {
  readonly phase: "sessions" | "held" | "confirmed" | "end"
  /** The position after which the chunk starts. Undefined for the first chunk in a phase. */
  readonly after?: Position | undefined
}

const nextPhases = { sessions: "held", held: "confirmed", confirmed: "end" } as const

export const makeCancelBookingChunk = Effect.gen(function*() {
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
