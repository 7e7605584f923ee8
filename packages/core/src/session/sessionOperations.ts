import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Cancellations } from "../booking/cancellation/Cancellations.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { toIdempotentRequest } from "../operation/toIdempotentRequest.ts"
import { Ids } from "../port/Ids.ts"
import { makePaginatedHandler, smallRowPageSize } from "../port/readInPages.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { toStartPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { toPatch } from "../wire/snakeCase.ts"
import { Id, Integer, page, Timestamp } from "../wire/View.ts"
import {
  type BookedSession,
  BookedSessionView,
  sessionStatuses,
  SessionStore,
  SessionView,
  sessionView
} from "./Session.ts"
import { startOutcomes } from "./sessionPlan.ts"
import { Sessions } from "./Sessions.ts"

export const sessionsList = Operation.make("sessions.list", {
  route: ["GET", "/sessions"],
  summary: "List class sessions with the number of booked seats, earliest first.",
  description: "Returns sessions with from <= starts_at < to.",
  input: Schema.Struct({
    offering_id: Field.describedOptional("only sessions of this class", Field.uuid),
    from: Field.describedOptional("the earliest start, inclusive", Field.instant),
    to: Field.describedOptional("the latest start, exclusive", Field.instant),
    status: Field.describedOptional("only sessions with this status", Field.oneOf(...sessionStatuses)),
    ...Field.paging
  }),
  output: page(BookedSessionView),
  tool: {
    title: "List class sessions",
    toolset: "bookings",
    description: "Lists class sessions with from <= starts_at < to and their booked seats, earliest first."
  }
})

const newCapacity = Field.describedOptional(
  "the number of seats in each session, or null to use the class capacity",
  Field.nullable(Field.integer(1, 10_000))
)

export const sessionsCreate = Operation.make("sessions.create", {
  route: ["POST", "/sessions"],
  summary: "Schedule a class session, or a weekly series.",
  description:
    "repeat_weeks is the total number of sessions, one per week at the same local time. A retry with the same " +
    "idempotency_key returns the same sessions. Sessions on closed dates cannot be booked, and the ops agent cannot " +
    "schedule them.",
  input: Schema.Struct({
    offering_id: Field.withDescription("the class", Field.uuid),
    starts_at: Field.withDescription("the start of the first session", Field.instant),
    repeat_weeks: Field.describedOptional(
      "the total number of sessions, one per week at the same local time",
      Field.integer(1, 52),
      1
    ),
    capacity: newCapacity,
    idempotency_key: Field.idempotencyKey
  }),
  output: Schema.Struct({ data: Field.withDescription("the sessions, by start", Schema.Array(SessionView)) }),
  refusals: ["not_found", "wrong_kind", "idempotency_conflict", "slot_unavailable"],
  status: 201,
  hints: { idempotencyKey: "idempotency_key" },
  tool: {
    title: "Schedule class sessions",
    toolset: "catalog",
    description:
      "Schedules a class session, or a weekly series with repeat_weeks. A retry returns the same sessions. To " +
      "schedule more, use a new idempotency_key."
  }
})

export const sessionsUpdate = Operation.make("sessions.update", {
  route: ["PATCH", "/sessions/:id"],
  summary: "Change a class session's capacity, start, or notes.",
  description:
    "starts_at can change only while no seats are booked. The session keeps its length. Reducing the capacity " +
    "does not cancel bookings.",
  input: Schema.Struct({
    id: Field.withDescription("the session", Field.uuid),
    capacity: Field.optional(Field.sameAs(SessionView.fields.capacity, Field.nullable(Field.integer(1, 10_000)))),
    starts_at: Field.optional(Field.sameAs(SessionView.fields.starts_at, Field.instant)),
    notes: Field.optional(Field.sameAs(SessionView.fields.notes, Field.text({ max: 2000 })))
  }),
  output: SessionView,
  refusals: ["not_found", "session_cancelled", "has_bookings"],
  hints: { idempotent: true },
  tool: {
    title: "Update a class session",
    toolset: "catalog",
    description: "Updates a session. starts_at can change only while no seats are booked."
  }
})

export const sessionsPlan = Operation.make("sessions.plan", {
  route: ["POST", "/offerings/:id/session-plans"],
  summary: "Schedule class sessions for a season, or preview them with dry_run.",
  description:
    "Schedules a session at each given time on each given weekday between two local dates, for at most 366 days and " +
    "1000 sessions. Skips starts that are in the past, are on a closed date, or already have a scheduled or canceled " +
    "session, so repeating a plan creates no duplicates. A long plan is stored in several transactions. If it is " +
    "interrupted, a retry continues it.",
  input: Schema.Struct({
    id: Field.withDescription("the class", Field.uuid),
    weekdays: Field.withDescription("0 is Sunday, 6 is Saturday", Field.nonEmptyList(Field.integer(0, 6), 7)),
    times: Field.withDescription(
      "the start times in the outfitter's time zone",
      Field.nonEmptyList(Field.localTime, 50)
    ),
    from_date: Field.withDescription("the first local date", Field.localDate),
    to_date: Field.withDescription("the last local date, inclusive", Field.localDate),
    except_dates: Field.describedOptional("local dates to skip", Field.list(Field.localDate, 366)),
    capacity: newCapacity,
    dry_run: Field.describedOptional("whether to preview the plan instead of scheduling it", Field.boolean, false)
  }),
  output: Schema.Struct({
    created: Field.withDescription(
      "the number of sessions that were created, or that a preview would create",
      Integer,
      2
    ),
    existing: Field.withDescription(
      "the number of starts that already have a scheduled or canceled session",
      Integer,
      0
    ),
    closed: Field.withDescription("the number of starts on closed dates", Integer, 0),
    past: Field.withDescription("the number of starts in the past", Integer, 0),
    sessions: Field.withDescription(
      "all starts, earliest first",
      Schema.Array(Schema.Struct({
        starts_at: Field.withDescription("the start", Timestamp),
        outcome: Field.withDescription(
          "the first of these outcomes that applies: past, existing, closed, created",
          Schema.Literal(...startOutcomes)
        ),
        session_id: Field.withDescription(
          "the new or existing session, or null if there is none",
          Schema.NullOr(Id),
          null
        )
      }))
    )
  }).annotations({ identifier: "SessionPlan" }),
  refusals: ["not_found", "wrong_kind"],
  hints: { idempotent: true },
  tool: {
    title: "Plan class sessions",
    toolset: "catalog",
    description:
      "Schedules a session at each time on each weekday between two dates, at most 1000. Preview with dry_run first."
  }
})

export const sessionsCancel = Operation.make("sessions.cancel", {
  route: ["POST", "/sessions/:id/cancel"],
  summary: "Cancel a class session and all its bookings. Safe to retry.",
  description: "Guests get an email, and paid bookings are refunded in full. Cannot be undone.",
  input: Schema.Struct({ id: Field.withDescription("the session", Field.uuid) }),
  output: SessionView,
  refusals: ["not_found"],
  hints: { destructive: true, openWorld: true, idempotent: true },
  tool: {
    title: "Cancel a class session",
    toolset: "catalog",
    description: "Cancels a session and its bookings, emails the guests, and refunds them in full. Cannot be undone."
  }
})

export const sessionOperations = [sessionsList, sessionsCreate, sessionsUpdate, sessionsPlan, sessionsCancel] as const

const listPage = makePaginatedHandler(
  "sessions",
  smallRowPageSize,
  ({ session }) => toStartPosition(session),
  ({ booked, session }: BookedSession) => ({ ...sessionView(session), booked })
)

export const sessionHandlers = Effect.gen(function*() {
  const cancellations = yield* Cancellations
  const ids = yield* Ids
  const sessions = yield* Sessions
  const store = yield* SessionStore
  return {
    "sessions.list": ({ cursor, limit, ...query }, { orgId }) =>
      Effect.flatMap(
        currentTime,
        (now) =>
          listPage({ cursor, limit }, (after, limit) => store.list({ ...toPatch(query), orgId, after, limit, now }))
      ),
    "sessions.create": (
      { capacity = null, idempotency_key: key, offering_id: id, repeat_weeks: weeks = 1, starts_at: startsAt },
      actor
    ) => {
      const { orgId } = actor
      const skipsClosed = actor._tag === "Agent"
      const request = toIdempotentRequest(ids, actor, sessionsCreate.name, key, { id, startsAt, weeks, capacity })
      return Effect.map(
        sessions.create({ offering: { orgId, id }, startsAt, weeks, capacity, skipsClosed, keyed: request }),
        (rows) => ({ data: rows.map(sessionView) })
      )
    },
    "sessions.update": ({ id, ...fields }, { orgId }) =>
      Effect.map(sessions.update({ orgId, id }, toPatch(fields)), sessionView),
    "sessions.plan": ({ capacity = null, dry_run: isPreview = false, id, ...fields }, { orgId }) =>
      Effect.map(
        sessions.plan({
          offering: { orgId, id },
          plan: {
            weekdays: fields.weekdays,
            times: fields.times,
            fromDate: fields.from_date,
            toDate: fields.to_date,
            exceptDates: fields.except_dates ?? []
          },
          capacity,
          isPreview
        }),
        (outcomes) => ({
          created: outcomes.filter(({ outcome }) => outcome === "created").length,
          existing: outcomes.filter(({ outcome }) => outcome === "existing").length,
          closed: outcomes.filter(({ outcome }) => outcome === "closed").length,
          past: outcomes.filter(({ outcome }) => outcome === "past").length,
          sessions: outcomes.map(({ outcome, sessionId, startsAt }) => ({
            starts_at: Instant.format(startsAt),
            outcome,
            session_id: sessionId
          }))
        })
      ),
    "sessions.cancel": ({ id }, { orgId }) => Effect.map(cancellations.cancelSession({ orgId, id }), sessionView)
  } satisfies OperationHandlers<typeof sessionOperations>
})
