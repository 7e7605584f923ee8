import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Cancellations } from "../booking/cancellation/Cancellations.ts"
import * as Operation from "../operation/Operation.ts"
import { paginatedHandler } from "../operation/paginate.ts"
import type { Handlers } from "../operation/Registry.ts"
import { toIdempotentRequest } from "../operation/toIdempotentRequest.ts"
import { Ids } from "../port/Ids.ts"
import { smallRowPageSize } from "../port/readInPages.ts"
import { currentTime } from "../time/currentTime.ts"
import { startPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { toPatch } from "../wire/snakeCase.ts"
import { page } from "../wire/View.ts"
import { sessionStatuses } from "./Session.ts"
import { Sessions } from "./Sessions.ts"
import { type BookedSession, SessionStore } from "./SessionStore.ts"
import { BookedSessionView, SessionView, sessionView } from "./SessionView.ts"

export const sessionsList = Operation.make("sessions.list", {
  route: ["GET", "/sessions"],
  summary: "List class sessions with the number of booked seats, earliest first.",
  description: "from <= starts_at < to.",
  input: Schema.Struct({
    offering_id: Field.optional(Field.withDescription("only sessions of this class", Field.uuid)),
    from: Field.optional(Field.withDescription("the earliest start, inclusive", Field.instant)),
    to: Field.optional(Field.withDescription("the latest start, exclusive", Field.instant)),
    status: Field.optional(Field.withDescription("only sessions with this status", Field.oneOf(...sessionStatuses))),
    ...Field.paging
  }),
  output: page(BookedSessionView),
  tool: {
    title: "List class sessions",
    toolset: "bookings",
    description: "Class sessions with the number of booked seats, earliest first; from <= starts_at < to."
  }
})

export const sessionsCreate = Operation.make("sessions.create", {
  route: ["POST", "/sessions"],
  summary: "Schedule a class session, or a weekly series.",
  description:
    "repeat_weeks is the total number of sessions, one per week at the same local time. A retry with the same " +
    "idempotency_key returns the same sessions.",
  input: Schema.Struct({
    offering_id: Field.withDescription("the class", Field.uuid),
    starts_at: Field.withDescription("start of the first session", Field.instant),
    repeat_weeks: Field.optional(
      Field.withDescription("the total number of sessions, one per week at the same local time", Field.integer(1, 52)),
      1
    ),
    capacity: Field.optional(
      Field.withDescription(
        "seats in these sessions; null uses the capacity of the class",
        Field.nullable(Field.integer(1, 10_000))
      )
    ),
    idempotency_key: Field.idempotencyKey
  }),
  output: Schema.Struct({ data: Field.withDescription("by start", Schema.Array(SessionView)) }),
  refusals: ["not_found", "wrong_kind", "idempotency_conflict"],
  status: 201,
  hints: { idempotencyKey: "idempotency_key" },
  tool: {
    title: "Schedule class sessions",
    toolset: "catalog",
    description: "Schedules a class session, or repeat_weeks sessions, one per week at the same local time. For more " +
      "sessions, use a new idempotency_key: a retry schedules nothing."
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
    description: "Cancels a session and all its bookings. Guests get an email and a full refund. Cannot be " +
      "undone. Safe to retry."
  }
})

export const sessionOperations = [sessionsList, sessionsCreate, sessionsCancel] as const

const list = paginatedHandler(
  "sessions",
  smallRowPageSize,
  ({ session }) => startPosition(session),
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
        (now) => list({ cursor, limit }, (after, limit) => store.list({ ...toPatch(query), orgId, after, limit, now }))
      ),
    "sessions.create": (
      { capacity = null, idempotency_key: key, offering_id: id, repeat_weeks: weeks = 1, starts_at: startsAt },
      actor
    ) => {
      const { orgId } = actor
      const keyed = toIdempotentRequest(ids, actor, sessionsCreate.name, key, { id, startsAt, weeks, capacity })
      return Effect.map(sessions.create({ offering: { orgId, id }, startsAt, weeks, capacity, keyed }), (made) => ({
        data: made.map(sessionView)
      }))
    },
    "sessions.cancel": ({ id }, { orgId }) => Effect.map(cancellations.session({ orgId, id }), sessionView)
  } satisfies Handlers<typeof sessionOperations>
})
