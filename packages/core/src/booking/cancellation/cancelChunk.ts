/**
 * The parts of a cancellation that is too large for one unit of work. The door is
 * closed already: the offering is deleted, or the session cancelled, and nothing can
 * be booked there any more, so what is left only becomes less.
 *
 * In this order: sessions to come, holds, confirmed bookings, the end. A hold that is
 * confirmed meanwhile is met among the confirmed ones. Nothing moves within what is
 * cancelled, so a part begins behind the last start of the one before it; whoever
 * takes the work up again begins at the front, and passes over what is cancelled.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ChunkSize } from "../../job/chunkedWork.ts"
import { type ResumableJob, ResumableJobStore } from "../../job/ResumableJobStore.ts"
import { offeringEvent } from "../../offering/Offerings.ts"
import { OfferingStore } from "../../offering/OfferingStore.ts"
import { EventLog, type NewEvent } from "../../port/EventLog.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { SessionStore } from "../../session/SessionStore.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { type Position, startPosition } from "../../wire/Cursor.ts"
import type { Booking } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import { makeStoreCancelled } from "./storeCancelled.ts"

/** Where a part begins. */
export interface ChunkCursor {
  readonly phase: "sessions" | "held" | "confirmed" | "end"
  /** Behind this start; at the first one, when it is left out. */
  readonly after?: Position | undefined
}

const following = { sessions: "held", held: "confirmed", confirmed: "end" } as const

/**
 * Does the part that begins there, and says where the next one does, or that nothing
 * is left; with the row as it is then, unless somebody else has come to the end.
 */
export const makeCancelChunk = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const cancel = yield* makeStoreCancelled
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const sessions = yield* SessionStore
  const unfinished = yield* ResumableJobStore
  const { run } = yield* UnitOfWork

  const next = (phase: keyof typeof following, rows: ReadonlyArray<Position>, size: number): ChunkCursor => {
    const last = rows.at(-1)
    return last === undefined || rows.length < size ? { phase: following[phase] } : { phase, after: last }
  }

  const ofSessions = ({ begunAt, id: offeringId, orgId }: ResumableJob, after: Position | undefined, size: number) =>
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
      const locked = yield* sessions.lock(page.map(({ session }) => session))
      return {
        at: next("sessions", page.map(({ session }) => startPosition(session)), size),
        told: yield* cancel(locked, [], now)
      }
    })

  const ofBookings = (row: ResumableJob, status: "held" | "confirmed", after: Position | undefined, size: number) =>
    Effect.gen(function*() {
      const { begunAt, id, orgId, subject } = row
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
      const locked = yield* bookings.lock(page.map(({ booking }) => booking))
      return {
        at: next(status, page.map(({ booking }) => startPosition(booking)), size),
        told: yield* cancel([], locked.filter(({ booking }) => isMeant(row, booking)), yield* currentTime)
      }
    })

  /** An offering is told of when everything in it is cancelled. */
  const atTheEnd = ({ id, orgId, subject }: ResumableJob, now: Instant.Instant) =>
    subject !== "offering"
      ? Effect.succeed<ReadonlyArray<NewEvent>>([])
      : Effect.map(
        offerings.find([{ orgId, id }]),
        (found) => found.map((offering) => offeringEvent(offering, "offering.deleted", now))
      )

  return (row: ResumableJob, { after, phase }: ChunkCursor): Effect.Effect<{
    readonly at: ChunkCursor | undefined
    readonly row: ResumableJob | undefined
  }> =>
    run(Effect.gen(function*() {
      if (phase === "end") {
        const last = Option.getOrUndefined(yield* unfinished.lock(row))
        if (last === undefined) return { at: undefined, row: undefined }
        yield* unfinished.remove(row)
        yield* log.append(yield* atTheEnd(row, yield* currentTime))
        return { at: undefined, row: last }
      }
      const size = yield* ChunkSize
      const { at, told } = phase === "sessions"
        ? yield* ofSessions(row, after, size)
        : yield* ofBookings(row, phase, after, size)
      const before = Option.getOrUndefined(yield* unfinished.lock(row))
      if (before === undefined) return { at: undefined, row: undefined }
      const changed = {
        ...before,
        touchedAt: yield* currentTime,
        cancelled: before.cancelled + told.cancelled,
        refunded: before.refunded + told.refunded
      }
      yield* unfinished.put(changed)
      yield* log.append(told.events)
      return { at, row: changed }
    }))
})

/** What was locked may have changed since it was listed. */
const isMeant = ({ begunAt, id, subject }: ResumableJob, booking: Booking): boolean => {
  if (booking.status === "cancelled") return false
  if (subject === "session") return booking.sessionId === id
  return booking.status === "held" || booking.startsAt > begunAt
}

/** Where the parts of such work begin. */
export const firstChunk = ({ subject }: Pick<ResumableJob, "subject">): ChunkCursor => ({
  phase: subject === "offering" ? "sessions" : "held"
})
