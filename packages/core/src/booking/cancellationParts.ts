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
import { offeringEvent } from "../offering/Offerings.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { EventLog, type NewEvent } from "../port/EventLog.ts"
import { type Unfinished, UnfinishedStore } from "../port/UnfinishedStore.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { SessionStore } from "../session/SessionStore.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { byStart, type Position } from "../wire/Cursor.ts"
import type { Booking } from "./Booking.ts"
import { BookingStore } from "./BookingStore.ts"
import { PartSize } from "./inParts.ts"
import { writeCancelled } from "./writeCancelled.ts"

/**
 * Where a part begins.
 *
 * @category models
 */
export interface At {
  readonly phase: "sessions" | "held" | "confirmed" | "end"
  /** Behind this start; at the first one, when it is left out. */
  readonly after?: Position | undefined
}

const following = { sessions: "held", held: "confirmed", confirmed: "end" } as const

/**
 * Does the part that begins there, and says where the next one does, or that nothing
 * is left; with the row as it is then, unless somebody else has come to the end.
 *
 * @category running
 */
export const cancellationParts = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const cancel = yield* writeCancelled
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const sessions = yield* SessionStore
  const unfinished = yield* UnfinishedStore
  const { run } = yield* UnitOfWork

  const next = (phase: keyof typeof following, rows: ReadonlyArray<Position>, size: number): At => {
    const last = rows.at(-1)
    return last === undefined || rows.length < size ? { phase: following[phase] } : { phase, after: last }
  }

  const ofSessions = ({ begunAt, id: offeringId, orgId }: Unfinished, after: Position | undefined, size: number) =>
    Effect.gen(function*() {
      const now = yield* moment
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
        at: next("sessions", page.map(({ session }) => byStart(session)), size),
        told: yield* cancel(locked, [], now)
      }
    })

  const ofBookings = (row: Unfinished, status: "held" | "confirmed", after: Position | undefined, size: number) =>
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
        at: next(status, page.map(({ booking }) => byStart(booking)), size),
        told: yield* cancel([], locked.filter(({ booking }) => isMeant(row, booking)), yield* moment)
      }
    })

  /** An offering is told of when everything in it is cancelled. */
  const atTheEnd = ({ id, orgId, subject }: Unfinished, now: Instant.Instant) =>
    subject !== "offering"
      ? Effect.succeed<ReadonlyArray<NewEvent>>([])
      : Effect.map(
        offerings.find([{ orgId, id }]),
        (found) => found.map((offering) => offeringEvent(offering, "offering.deleted", now))
      )

  return (row: Unfinished, { after, phase }: At): Effect.Effect<{
    readonly at: At | undefined
    readonly row: Unfinished | undefined
  }> =>
    run(Effect.gen(function*() {
      if (phase === "end") {
        const last = Option.getOrUndefined(yield* unfinished.lock(row))
        if (last === undefined) return { at: undefined, row: undefined }
        yield* unfinished.remove(row)
        yield* log.append(yield* atTheEnd(row, yield* moment))
        return { at: undefined, row: last }
      }
      const size = yield* PartSize
      const { at, told } = phase === "sessions"
        ? yield* ofSessions(row, after, size)
        : yield* ofBookings(row, phase, after, size)
      const before = Option.getOrUndefined(yield* unfinished.lock(row))
      if (before === undefined) return { at: undefined, row: undefined }
      const changed = {
        ...before,
        touchedAt: yield* moment,
        cancelled: before.cancelled + told.cancelled,
        refunded: before.refunded + told.refunded
      }
      yield* unfinished.put(changed)
      yield* log.append(told.events)
      return { at, row: changed }
    }))
})

/** What was locked may have changed since it was listed. */
const isMeant = ({ begunAt, id, subject }: Unfinished, booking: Booking): boolean => {
  if (booking.status === "cancelled") return false
  if (subject === "session") return booking.sessionId === id
  return booking.status === "held" || booking.startsAt > begunAt
}

/**
 * Where the parts of such work begin.
 *
 * @category constructors
 */
export const firstPart = ({ subject }: Pick<Unfinished, "subject">): At => ({
  phase: subject === "offering" ? "sessions" : "held"
})
