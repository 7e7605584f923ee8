import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decider from "../Decider.ts"
import {
  checkStartIsOpen,
  ClosureStore,
  getFirstRelevantClosureDate,
  makeFindClosure
} from "../offering/closure/Closure.ts"
import type { Offering } from "../offering/Offering.ts"
import { loadOffering } from "../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/Orgs.ts"
import type * as Event from "../port/Event.ts"
import { EventLog } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { type ExecutedRequest, type IdempotentRequest, makeIdempotentRunner } from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { readInPages, smallRowPageSize } from "../port/readInPages.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as Zone from "../time/Zone.ts"
import { toStartPosition } from "../wire/Cursor.ts"
import {
  type BookedSession,
  type Session,
  sessionDecider,
  type SessionEvent,
  type sessionEvents,
  type SessionPatch,
  SessionStore,
  sessionView
} from "./Session.ts"
import {
  decideStartOutcomes,
  listPlannedStarts,
  listWeeklyStarts,
  type PlannedStart,
  type SessionPlan
} from "./sessionPlan.ts"

/** Schedules and changes sessions. `Cancellations` cancels sessions. */
export class Sessions extends Context.Tag("@trailbook/core/Sessions")<
  Sessions,
  {
    /**
     * Schedules `weeks` sessions for a class, one week apart in local time. A repeated request returns the same
     * sessions, even if some of them have been canceled.
     */
    readonly create: (input: {
      readonly offering: OrgKey
      readonly startsAt: Instant.Instant
      readonly weeks: number
      readonly capacity: number | null
      /**
       * Whether closed starts are refused. Only the ops agent sets this option, because an outfitter may prepare
       * sessions on closed dates.
       */
      readonly skipsClosed?: boolean
      readonly keyed?: IdempotentRequest | undefined
    }) => Effect.Effect<
      ReadonlyArray<Session>,
      Refusal<"not_found" | "wrong_kind" | "invalid_request" | "idempotency_conflict" | "slot_unavailable">
    >
    /**
     * Changes a session. Moving the start keeps the session's length and is refused while seats are booked. The change
     * takes the same locks as a booking for the session, so no seat can be booked with the old start or capacity in the
     * meantime.
     */
    readonly update: (
      key: OrgKey,
      patch: Pick<SessionPatch, "capacity" | "startsAt" | "notes">
    ) => Effect.Effect<Session, Refusal<"not_found" | "invalid_request" | "session_cancelled" | "has_bookings">>
    /**
     * Schedules or previews the missing sessions of a plan, in chunks of {@link planChunk}. Calls can be repeated and
     * can run concurrently, because each chunk reads the sessions under the class lock.
     */
    readonly plan: (input: {
      readonly offering: OrgKey
      readonly plan: SessionPlan
      readonly capacity: number | null
      readonly isPreview: boolean
    }) => Effect.Effect<ReadonlyArray<PlannedStart>, Refusal<"not_found" | "wrong_kind" | "invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(Sessions, Effect.suspend(() => makeSessions))
}

const makeSessions = Effect.gen(function*() {
  const store = yield* SessionStore
  const closures = yield* ClosureStore
  const ids = yield* Ids
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const { make } = yield* makeIdempotentRunner
  const { run } = yield* UnitOfWork

  const replay = ({ made, orgId }: ExecutedRequest) =>
    Effect.map(store.lock(made.map((id) => ({ orgId, id }))), (rows) => {
      const sessions = made.flatMap((id) => rows.find((session) => session.id === id) ?? [])
      return {
        isObsolete: sessions.every(({ status }) => status === "cancelled"),
        result: Effect.succeed<ReadonlyArray<Session>>(sessions)
      }
    })

  const loadZone = (orgId: string) =>
    Effect.map(Effect.orDie(Effect.flatten(orgs.find(orgId))), ({ timezone }) => Zone.get(timezone))

  /** Locks the class, so that it cannot be deleted or closed concurrently. */
  const lockClass = (key: OrgKey) =>
    Effect.gen(function*() {
      const offering = yield* Effect.flatMap(offerings.lock([key]), loadOffering(key))
      return offering.kind === "class"
        ? offering
        : yield* refuse("wrong_kind", "Only a class has sessions. This offering has weekly hours.")
    })

  const addSessions = (sessions: ReadonlyArray<Session>, field: string, now: Instant.Instant) =>
    Effect.gen(function*() {
      if (sessions.some(({ endsAt }) => endsAt > Instant.max)) {
        return yield* invalid(`${field}: every session must end before the year 10000`)
      }
      if (sessions.length === 0) return
      yield* store.put(sessions)
      yield* log.append(sessions.map((session) => makeSessionEvent(session, "session.created", now)))
    })

  /** Schedules the missing sessions at these starts. The sessions in a preview are not stored. */
  const planStarts = (
    { capacity, isPreview, offering: key }: Parameters<Sessions["Type"]["plan"]>[0],
    starts: ReadonlyArray<Instant.Instant>
  ) =>
    run(Effect.gen(function*() {
      const offering = yield* lockClass(key)
      const now = yield* currentTime
      const zone = yield* loadZone(key.orgId)
      const closureRows = yield* closures.since([key.orgId], getFirstRelevantClosureDate(now))
      const findClosureAt = makeFindClosure(closureRows, zone, offering)
      const existingSessions = yield* readInPages({
        limit: Infinity,
        atOnce: smallRowPageSize,
        positionOf: ({ session }: BookedSession) => toStartPosition(session),
        read: (after, limit) =>
          store.list({
            orgId: key.orgId,
            offeringId: key.id,
            from: starts[0],
            to: Instant.make((starts.at(-1) ?? 0) + 1),
            after,
            limit,
            now
          })
      })
      const outcomes = decideStartOutcomes(starts, {
        now,
        existing: new Map(existingSessions.map(({ session: { id, startsAt } }) => [startsAt, id])),
        isClosed: (startsAt) => findClosureAt(startsAt) !== undefined,
        newId: isPreview ? () => null : ids.uuid
      })
      const newSessions = outcomes.flatMap(({ outcome, sessionId: id, startsAt }) =>
        outcome === "created" && id !== null ? [makeSession(offering, { id, startsAt, capacity, now })] : []
      )
      yield* addSessions(newSessions, "to_date", now)
      return outcomes
    }))

  const createSessions = (
    { capacity, offering: key, skipsClosed = false, startsAt, weeks }: Parameters<Sessions["Type"]["create"]>[0],
    sessionIds: ReadonlyArray<string>
  ) =>
    Effect.gen(function*() {
      const offering = yield* lockClass(key)
      const now = yield* currentTime
      const zone = yield* loadZone(key.orgId)
      const starts = listWeeklyStarts(zone, startsAt, weeks)
      if (skipsClosed) {
        const closureRows = yield* closures.since([key.orgId], getFirstRelevantClosureDate(now))
        yield* Effect.forEach(starts, (start) => checkStartIsOpen({ closures: closureRows, offering, zone }, start))
      }
      const sessions = starts.map((startsAt, at) =>
        makeSession(offering, { id: sessionIds[at] ?? ids.uuid(), startsAt, capacity, now })
      )
      yield* addSessions(sessions, "starts_at", now)
      return sessions
    })

  return Sessions.of({
    create: (input) => {
      const sessionIds = Array.from({ length: input.weeks }, ids.uuid)
      return make(input.keyed, { createdIds: sessionIds, make: createSessions(input, sessionIds), replay })
    },
    update: (key, patch) =>
      run(Effect.gen(function*() {
        const [session] = yield* store.find([key])
        // A closure also locks the class, so it finds the session at either the old or the new start.
        if (session !== undefined) yield* offerings.lock([{ orgId: key.orgId, id: session.offeringId }])
        const current = yield* Effect.flatMap(store.lock([key]), failIfNotFound("session", key.id))
        const now = yield* currentTime
        // Once a hold has been ignored as expired, it stays expired.
        const [seats] = yield* store.countBookedSeats([{
          ...key,
          now: Instant.make(Math.max(now, current.judgedAt))
        }])
        const { startsAt } = patch
        const endPatch = startsAt === undefined
          ? {}
          : { endsAt: Instant.make(startsAt + (current.endsAt - current.startsAt)) }
        if (endPatch.endsAt !== undefined && endPatch.endsAt > Instant.max) {
          return yield* invalid("starts_at: the session must end before the year 10000")
        }
        const { events, state } = yield* Decider.run(sessionDecider)(current, {
          _tag: "Update",
          patch: { ...patch, ...endPatch },
          booked: seats?.booked ?? 0
        })
        if (events.length === 0) return current
        yield* store.put([state])
        yield* log.append(events.map(({ _tag }) => makeSessionEvent(state, _tag, now)))
        return state
      })),
    plan: (input) =>
      Effect.gen(function*() {
        const starts = yield* listPlannedStarts(input.plan, yield* loadZone(input.offering.orgId))
        // An empty plan still runs one chunk, which refuses an offering that is not a class.
        const chunks = starts.length === 0 ? [[]] : Arr.chunksOf(starts, planChunk)
        return (yield* Effect.forEach(chunks, (chunk) => planStarts(input, chunk))).flat()
      })
  })
})

/** The number of starts that a plan processes per transaction. */
const planChunk = 100

const makeSession = (
  { durationMinutes, id: offeringId, orgId }: Offering,
  { capacity, id, now, startsAt }: Pick<Session, "id" | "startsAt" | "capacity"> & { readonly now: Instant.Instant }
): Session => ({
  id,
  orgId,
  offeringId,
  startsAt,
  endsAt: Instant.addMinutes(startsAt, durationMinutes),
  capacity,
  status: "scheduled",
  notes: "",
  createdAt: now,
  judgedAt: Instant.make(0)
})

export const makeSessionEvent = (
  session: Session,
  type: SessionEvent["_tag"],
  now: Instant.Instant
): Event.EventPayload<typeof sessionEvents> => ({
  orgId: session.orgId,
  type,
  data: sessionView(session),
  person: null,
  createdAt: now
})
