/**
 * Operations of the dashboard: departures with their guests, and counts of new bookings. API clients compose these from
 * sessions and bookings.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import type { UnreachedGuest, UnreachedQuery } from "../conversation/message/UnreachedGuest.ts"
import { knownEmail } from "../customer/Customer.ts"
import { ClosureStore } from "../offering/closure/ClosureStore.ts"
import { ClosureView, closureView } from "../offering/closure/ClosureView.ts"
import { OfferingView } from "../offering/OfferingView.ts"
import * as PageOperation from "../operation/PageOperation.ts"
import type { Handlers } from "../operation/Registry.ts"
import { Orgs } from "../org/Orgs.ts"
import { orNotFound } from "../port/orNotFound.ts"
import { sessionStatuses } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Zone from "../time/Zone.ts"
import * as Field from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Date, Id, Integer, Timestamp } from "../wire/View.ts"
import { statuses } from "./Booking.ts"
import { BookingStore } from "./BookingStore.ts"
import { type BookingRecord, BookingView, bookingView } from "./BookingView.ts"
import { Closures } from "./closure/Closures.ts"
import { type Departure, Departures } from "./Departures.ts"
import { guestName, guestPhone } from "./guestName.ts"

/** Maximum number of guests listed per departure. */
const maxNamed = 4

const fields = {
  id: Field.withDescription("the session ID, or the ID of one of its bookings", Id),
  offering: OfferingView.pick("id", "name", "kind"),
  session_id: Schema.NullOr(Id),
  status: Field.withDescription("the status of the session", Schema.Literal(...sessionStatuses)),
  starts_at: Timestamp,
  ends_at: Timestamp,
  capacity: Field.withDescription("seats, parties, or items", Integer),
  booked: Field.withDescription("the capacity in use, including holds", Integer),
  held: Field.withDescription("the capacity in use by holds", Integer),
  quantity: Field.withDescription("people or items, including holds", Integer),
  notes: Field.withDescription("staff notes of the session", Schema.String)
}

export const DepartureView = Schema.Struct(fields)
export type DepartureView = typeof DepartureView.Type

const ListedView = Schema.Struct({
  ...fields,
  guests: Field.withDescription(
    "the first confirmed guests",
    Schema.Array(Schema.Struct({ name: Schema.String, quantity: Integer }))
  )
})

const make = PageOperation.makePageOperations("dashboard")

export const dashboardDepartures = make("dashboard.departures", {
  input: Schema.Struct({
    from: Field.withDescription("only departures that start at or after this time", Field.instant),
    to: Field.withDescription("only departures that start before this time", Field.instant),
    skip: Field.optional(Field.withDescription("the number of departures to skip", Field.integer(0, 1000)), 0),
    limit: Field.optional(Field.withDescription("the maximum number of departures", Field.integer(1, 1000)), 1000),
    named: Field.optional(Field.withDescription("whether to include guest names", Field.boolean), false)
  }),
  output: Schema.Struct({
    data: Field.withDescription("by start", Schema.Array(ListedView)),
    departures: Field.withDescription("the total number of departures", Integer),
    quantity: Field.withDescription("the total number of people and items, including holds", Integer),
    is_cut: Field.withDescription("whether more departures exist that the totals do not include", Schema.Boolean)
  })
})

export const dashboardDeparture = make("dashboard.departure", {
  input: Schema.Struct({ id: Field.withDescription("a session or a booking", Field.uuid) }),
  output: DepartureView,
  refusals: ["not_found"]
})

export const dashboardBookingCounts = make("dashboard.made", {
  input: Schema.Struct({
    days: Field.withDescription("the number of local days up to and including today", Field.integer(1, 31))
  }),
  output: Schema.Struct({
    data: Field.withDescription("by date", Schema.Array(Schema.Struct({ date: Date, bookings: Integer })))
  }),
  refusals: ["not_found"]
})

export const dashboardClosure = make("dashboard.closure", {
  input: Schema.Struct({ id: Field.withDescription("a closure", Field.uuid) }),
  output: Schema.Struct({
    ...ClosureView.fields,
    bookings: Field.withDescription("bookings and live holds that start there, by start", Schema.Array(BookingView))
  }),
  refusals: ["not_found"]
})

const maxUnreached = 500

/** A booking whose guest did not receive a message. */
export const UnreachedView = Schema.Struct({
  booking_id: Id,
  reference: Schema.String,
  name: Schema.String,
  email: Schema.String,
  phone: Schema.String,
  quantity: Integer,
  offering: Field.withDescription("its name", Schema.String),
  starts_at: Timestamp,
  session_id: Schema.NullOr(Id),
  status: Schema.Literal(...statuses),
  failed_at: Timestamp,
  failure: Field.withDescription("the mail server's reply", Schema.NullOr(Schema.String))
})
export type UnreachedView = typeof UnreachedView.Type

const output = Schema.Struct({ data: Field.withDescription("by start", Schema.Array(UnreachedView)) })

export const dashboardUnreached = make("dashboard.unreached", {
  input: Schema.Struct({
    booking_ids: Field.withDescription("these bookings", Field.list(Field.uuid, 5000)),
    session_ids: Field.withDescription("all bookings of these sessions", Field.list(Field.uuid, 500))
  }),
  output
})

export const dashboardUnreachedWithin = make("dashboard.unreached_within", {
  input: Schema.Struct({
    from: Field.withDescription("bookings that start at or after this time", Field.instant),
    to: Field.withDescription("bookings that start before this time", Field.instant)
  }),
  output
})

export const departureOperations = [
  dashboardDepartures,
  dashboardDeparture,
  dashboardClosure,
  dashboardBookingCounts,
  dashboardUnreached,
  dashboardUnreachedWithin
] as const

export const departureHandlers = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const closures = yield* Closures
  const closureStore = yield* ClosureStore
  const departures = yield* Departures
  const messages = yield* MessageStore
  const orgs = yield* Orgs

  /** Returns the first guests of each departure. */
  const guestsOf = (orgId: string, shown: ReadonlyArray<Departure>) =>
    Effect.map(
      bookings.coming(
        shown.map(({ offering, session, startsAt }) => ({
          orgId,
          offeringId: offering.id,
          sessionId: session?.id ?? null,
          startsAt
        })),
        maxNamed
      ),
      (coming) =>
        new Map(shown.map(({ id }, at) => [
          id,
          (coming[at] ?? []).map((guest) => ({ name: guest.name || knownEmail(guest), quantity: guest.quantity }))
        ]))
    )

  const unreached = (query: UnreachedQuery) =>
    Effect.gen(function*() {
      const { orgId } = query
      const found = yield* messages.unreached(query)
      const records = new Map(
        (yield* bookings.find(found.map(({ bookingId: id }) => ({ orgId, id })))).map((one) => [one.booking.id, one])
      )
      return {
        data: found.flatMap((one) => {
          const record = records.get(one.bookingId)
          return record === undefined ? [] : [unreachedView(one, record)]
        })
      }
    })

  return {
    "dashboard.unreached": ({ booking_ids: bookingIds, session_ids: sessionIds }, { orgId }) =>
      unreached({ orgId, bookingIds, sessionIds, limit: maxUnreached }),
    "dashboard.unreached_within": (span, { orgId }) => unreached({ orgId, ...span, limit: maxUnreached }),
    "dashboard.departures": ({ from, limit = 1000, named = false, skip = 0, to }, { orgId }) =>
      Effect.gen(function*() {
        const { departures: all, isCut } = yield* departures.within(orgId, { from, to })
        const shown = all.slice(skip, skip + limit)
        const guests = yield* guestsOf(orgId, named ? shown.filter(({ quantity }) => quantity > 0) : [])
        return {
          data: shown.map((one) => ({ ...departureView(one), guests: guests.get(one.id) ?? [] })),
          departures: all.length,
          quantity: all.reduce((sum, { quantity }) => sum + quantity, 0),
          is_cut: isCut
        }
      }),
    "dashboard.departure": ({ id }, { orgId }) => Effect.map(departures.get({ orgId, id }), departureView),
    "dashboard.closure": ({ id }, { orgId }) =>
      Effect.gen(function*() {
        const closure = yield* Effect.flatMap(closureStore.find({ orgId, id }), orNotFound("closure", id))
        const found = yield* closures.bookingsIn(closure)
        return { ...closureView(closure), bookings: found.map(bookingView) }
      }),
    "dashboard.made": ({ days }, { orgId }) =>
      Effect.gen(function*() {
        const zone = Zone.get((yield* orgs.get(orgId)).timezone)
        const today = zone.dateAt(yield* currentTime)
        const dates = Array.from({ length: days }, (_, at) => LocalDate.addDays(today, at - days + 1))
        const counts = yield* bookings.countConfirmed(
          orgId,
          dates.map((date) => ({ from: zone.startOf(date), to: zone.startOf(LocalDate.addDays(date, 1)) }))
        )
        return { data: dates.map((date, at) => ({ date: LocalDate.format(date), bookings: counts[at] ?? 0 })) }
      })
  } satisfies Handlers<typeof departureOperations>
})

const departureView = ({ offering, session, ...departure }: Departure): DepartureView =>
  view({
    ...departure,
    offering: Struct.pick(offering, "id", "name", "kind"),
    sessionId: session?.id ?? null,
    status: session?.status ?? "scheduled",
    notes: session?.notes ?? ""
  })

const view = toView(DepartureView)

const unreachedView = ({ at, failure }: UnreachedGuest, record: BookingRecord): UnreachedView => {
  const { customer: { email }, id, offering, quantity, reference, session_id, starts_at, status } = bookingView(record)
  return {
    booking_id: id,
    reference,
    name: guestName(record),
    email,
    phone: guestPhone(record),
    quantity,
    offering: offering.name,
    starts_at,
    session_id,
    status,
    failed_at: Instant.format(at),
    failure
  }
}
