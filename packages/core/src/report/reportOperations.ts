/** The report operations. A report reads pages of a few columns in one snapshot and sums them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BookingStore } from "../booking/BookingStore.ts"
import { yieldToEventLoop } from "../concurrency/scheduler.ts"
import { ClosureStore } from "../offering/closure/Closure.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { Orgs } from "../org/Orgs.ts"
import { findTestAccountIds, PaymentConnectionStore } from "../payment/PaymentConnection.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid } from "../Refusal.ts"
import { SessionStore } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Zone from "../time/Zone.ts"
import type { Position } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { Date, Integer } from "../wire/View.ts"
import { OccupancyReport, OccupancyRow } from "./occupancyReport.ts"
import { DeferredRevenueSums, DeferredRow, PaymentsReport, PaymentsRow } from "./paymentsReport.ts"
import { makeGetPeriodStart, reportPeriods } from "./reportPeriod.ts"
import { type GuestStart, type ReportBooking, type ReportQuery, ReportStore } from "./ReportStore.ts"
import { SalesReport, SalesRow } from "./salesReport.ts"

/** The maximum number of days in a report. */
export const maxReportDays = 366

/** The number of rows per query. On SQLite, each query blocks the event loop for 10 to 20 ms. */
const pageSize = 1000

const dateFields = {
  from: Field.withDescription("the first local date", Field.localDate),
  to: Field.withDescription(
    `the last local date, inclusive, in a range of at most ${maxReportDays} days`,
    Field.localDate
  )
}

const periodField = {
  by: Field.describedOptional(
    "the period that each row covers. Weeks start on Monday",
    Field.oneOf(...reportPeriods),
    "day"
  )
}

const GuestsRow = Schema.Struct({
  date: Field.withDescription("the first date of the period", Date, "2027-05-01"),
  new: Field.withDescription("the number of guests whose first confirmed booking starts in the period", Integer, 31),
  returning: Field.withDescription(
    "the number of guests whose first confirmed booking started in an earlier period",
    Integer,
    9
  )
}).annotations({ identifier: "GuestsRow" })
type GuestsRow = typeof GuestsRow.Type

const makeRowsField = <A, I>(row: Schema.Schema<A, I>, order: string) => Field.withDescription(order, Schema.Array(row))

export const reportsSales = Operation.make("reports.sales", {
  route: ["GET", "/reports/sales"],
  summary: "Report sales by period and offering, based on the current state of the bookings.",
  description: "Counts confirmed bookings with their totals, and canceled bookings with the amount kept. " +
    "Holds and bookings with test payments are excluded. Each currency has its own rows.",
  input: Schema.Struct({
    ...dateFields,
    ...periodField,
    basis: Field.describedOptional(
      "whether to count bookings by start or booking date",
      Field.oneOf("start", "booked"),
      "start"
    )
  }),
  output: Schema.Struct({ data: makeRowsField(SalesRow, "by date and offering") }),
  tool: {
    title: "Sales report",
    toolset: "reports",
    description: "Reports sales by date and offering between two local dates."
  }
})

export const reportsPayments = Operation.make("reports.payments", {
  route: ["GET", "/reports/payments"],
  summary: "Report the money received and returned, by period, method, and actor.",
  description: "Counts payments and refunds by completion date. Voided, failed, and pending entries and " +
    "test payments are excluded. The deferred amount is the net amount received by the end of the range for bookings " +
    "that start later.",
  input: Schema.Struct({ ...dateFields, ...periodField }),
  output: Schema.Struct({
    data: makeRowsField(PaymentsRow, "by date, method, and actor"),
    deferred: Field.withDescription(
      "the net amounts received by the end of the range for bookings that start later, by currency",
      Schema.Array(DeferredRow)
    )
  }),
  tool: {
    title: "Payments report",
    toolset: "reports",
    description: "Reports money received and returned by date, method, and actor between two local dates."
  }
})

export const reportsOccupancy = Operation.make("reports.occupancy", {
  route: ["GET", "/reports/occupancy"],
  summary: "Report the share of capacity sold, by offering, weekday, and start time.",
  description:
    "For classes, compares confirmed seats with the capacity of sessions that are not canceled. For appointments " +
    "and rentals, compares booked minutes with open minutes, based on the current hours minus closures. Bookings " +
    "with test payments are excluded, except in classes.",
  input: Schema.Struct(dateFields),
  output: Schema.Struct({ data: makeRowsField(OccupancyRow, "by offering, weekday (Monday first), and time") }),
  tool: {
    title: "Occupancy report",
    toolset: "reports",
    description: "Reports sold and offered capacity between two local dates, by offering, weekday, and time."
  }
})

export const reportsGuests = Operation.make("reports.guests", {
  route: ["GET", "/reports/guests"],
  summary: "Report the number of new and returning guests.",
  description: "A guest is new in the period in which the guest's first confirmed booking starts, and returning in " +
    "later periods with a confirmed booking. Each guest counts once per period. Bookings with test payments are " +
    "excluded.",
  input: Schema.Struct({ ...dateFields, ...periodField }),
  output: Schema.Struct({ data: makeRowsField(GuestsRow, "by date") }),
  tool: {
    title: "Guests report",
    toolset: "reports",
    description: "Reports new and returning guests between two local dates."
  }
})

export const reportOperations = [reportsSales, reportsPayments, reportsOccupancy, reportsGuests] as const

export const reportHandlers = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const closures = yield* ClosureStore
  const connections = yield* PaymentConnectionStore
  const offerings = yield* OfferingStore
  const orgs = yield* Orgs
  const sessions = yield* SessionStore
  const store = yield* ReportStore
  const { snapshot } = yield* UnitOfWork

  /** Reads a report in one snapshot. */
  const runReport = <A>(
    orgId: string,
    { from, to }: { readonly from: LocalDate.LocalDate; readonly to: LocalDate.LocalDate },
    readReport: (
      input: { readonly zone: Zone.Zone; readonly query: Omit<ReportQuery, "after" | "limit"> }
    ) => Effect.Effect<A>
  ) => {
    if (to < from) return invalid("to: must not be before from")
    if (to - from >= maxReportDays) return invalid(`to: the range must be at most ${maxReportDays} days`)
    return snapshot(Effect.gen(function*() {
      const zone = Zone.get((yield* Effect.orDie(orgs.get(orgId))).timezone)
      const query = {
        orgId,
        from: zone.startOf(from),
        to: zone.startOf(LocalDate.addDays(to, 1)),
        testAccounts: findTestAccountIds(yield* connections.list(orgId))
      }
      return yield* readReport({ zone, query })
    }))
  }

  /** Returns a function that looks up the names of offerings, including deleted offerings. */
  const loadNames = (orgId: string, ids: ReadonlyArray<string>) =>
    Effect.map(offerings.find(ids.map((id) => ({ orgId, id }))), (rows) => {
      const names = new Map(rows.map(({ id, name }) => [id, name]))
      return (id: string) => names.get(id) ?? ""
    })

  return {
    "reports.sales": ({ basis = "start", by = "day", ...dates }, { orgId }) =>
      runReport(orgId, dates, ({ query, zone }) =>
        Effect.gen(function*() {
          const sales = new SalesReport(makeGetPeriodStart(by, zone))
          for (const status of ["confirmed", "cancelled"] as const) {
            yield* forEachRow((page) => store.bookings({ ...query, ...page, basis, status }), (row) => sales.add(row))
          }
          return { data: sales.rows(yield* loadNames(orgId, sales.offeringIds)) }
        })),
    "reports.payments": ({ by = "day", ...dates }, { orgId }) =>
      runReport(orgId, dates, ({ query, zone }) =>
        Effect.gen(function*() {
          const payments = new PaymentsReport(makeGetPeriodStart(by, zone))
          yield* forEachRow((page) => store.entries({ ...query, ...page }), (row) => payments.add(row))
          const deferred = new DeferredRevenueSums()
          const laterQuery = { ...query, from: query.to, to: maxTime }
          yield* forEachRow((page) => store.receivedBefore({ ...laterQuery, ...page }), (row) => deferred.add(row))
          return { data: payments.rows, deferred: deferred.rows }
        })),
    "reports.guests": ({ by = "day", ...dates }, { orgId }) =>
      runReport(orgId, dates, ({ query, zone }) =>
        Effect.gen(function*() {
          const guests = new GuestsReport(makeGetPeriodStart(by, zone))
          yield* forEachRow((page) => store.guestStarts({ ...query, ...page }), (row) => guests.add(row))
          return { data: guests.rows }
        })),
    "reports.occupancy": ({ from: first, to: last }, { orgId }) =>
      runReport(orgId, { from: first, to: last }, ({ query, zone }) =>
        Effect.gen(function*() {
          const occupancy = new OccupancyReport({ first, last, zone })
          const now = yield* currentTime
          const { from, to } = query
          const heldSeats = new Map(
            (yield* bookings.heldSeats({ orgId, from, to, now })).map((one) => [one.sessionId, one.quantity])
          )
          const offeringsById = new Map<string, Offering>()
          const loadOfferings = (ids: ReadonlyArray<string>) =>
            Effect.map(
              offerings.find(ids.filter((id) => !offeringsById.has(id)).map((id) => ({ orgId, id }))),
              (rows) => rows.forEach((one) => offeringsById.set(one.id, one))
            )
          yield* forEachPage(
            (page) =>
              Effect.map(
                sessions.list({ orgId, from, to, now, status: "scheduled", ...page }),
                (rows) => rows.map((one) => ({ ...one, at: one.session.startsAt, id: one.session.id }))
              ),
            (rows) =>
              Effect.map(loadOfferings([...new Set(rows.map(({ session }) => session.offeringId))]), () => {
                for (const one of rows) {
                  const offering = offeringsById.get(one.session.offeringId)
                  if (offering !== undefined) occupancy.addSession(offering, one, heldSeats.get(one.id) ?? 0)
                }
              })
          )
          const openOfferings: Array<Offering> = []
          yield* forEachRow(
            (page) =>
              Effect.map(offerings.list({ orgId, ...page }), (rows) =>
                rows.map((one) => ({ ...one, at: one.createdAt }))),
            (one) =>
              one.kind === "class" || openOfferings.push(one)
          )
          if (openOfferings.length === 0) return { data: occupancy.rows }
          const closureRows = yield* closures.since([orgId], first)
          const bookingsByOffering = new Map<string, Array<ReportBooking>>(openOfferings.map(({ id }) => [id, []]))
          const longestMs = Math.max(...openOfferings.map(({ longestBookingMs }) => longestBookingMs))
          const baseQuery = {
            ...query,
            from: Instant.make(from - longestMs),
            basis: "start",
            status: "confirmed"
          } as const
          yield* forEachRow(
            (page) => store.bookings({ ...baseQuery, ...page }),
            (row) => bookingsByOffering.get(row.offeringId)?.push(row)
          )
          // Yield after each offering, because computing one offering's year takes about 0.5 ms and an outfitter can
          // have many offerings.
          yield* Effect.forEach(
            openOfferings,
            (offering) => {
              occupancy.addHours(offering, closureRows, bookingsByOffering.get(offering.id) ?? [])
              return yieldToEventLoop
            },
            { discard: true }
          )
          return { data: occupancy.rows }
        }))
  } satisfies OperationHandlers<typeof reportOperations>
})

/** A time later than any start. */
const maxTime = Instant.make(Number.MAX_SAFE_INTEGER)

interface PageRequest {
  readonly after: Position | undefined
  readonly limit: number
}

/** Reads all pages. Yields to the event loop between pages. */
const forEachPage = <Row extends Position>(
  readPage: (page: PageRequest) => Effect.Effect<ReadonlyArray<Row>>,
  use: (rows: ReadonlyArray<Row>) => Effect.Effect<unknown>,
  after?: Position
): Effect.Effect<void> =>
  Effect.flatMap(readPage({ after, limit: pageSize }), (rows) => {
    const last = rows.at(-1)
    const effect = use(rows)
    return last === undefined || rows.length < pageSize
      ? Effect.asVoid(effect)
      : effect.pipe(Effect.zipRight(yieldToEventLoop), Effect.zipRight(forEachPage(readPage, use, last)))
  })

/** Reads all pages and calls `use` for each row. */
export const forEachRow = <Row extends Position>(
  readPage: (page: PageRequest) => Effect.Effect<ReadonlyArray<Row>>,
  use: (row: Row) => unknown
): Effect.Effect<void> =>
  forEachPage(readPage, (rows) =>
    Effect.sync(() => {
      for (const row of rows) use(row)
    }))

/**
 * Counts the new and returning guests in each period. A guest counts once per period, and is new in the period of their
 * first confirmed start.
 */
class GuestsReport {
  readonly #periods = new Map<LocalDate.LocalDate, Map<string, boolean>>()
  readonly #dateOf: (at: GuestStart["at"]) => LocalDate.LocalDate
  constructor(dateOf: (at: GuestStart["at"]) => LocalDate.LocalDate) {
    this.#dateOf = dateOf
  }

  add({ at, customerId, firstAt }: GuestStart): void {
    const date = this.#dateOf(at)
    const guests = this.#periods.get(date) ?? new Map<string, boolean>()
    this.#periods.set(date, guests)
    guests.set(customerId, this.#dateOf(firstAt) === date)
  }

  /** The rows, sorted by date. */
  get rows(): ReadonlyArray<GuestsRow> {
    return [...this.#periods].sort(([a], [b]) => a - b).map(([date, guests]) => {
      const first = [...guests.values()].filter((isNew) => isNew).length
      return { date: LocalDate.format(date), new: first, returning: guests.size - first }
    })
  }
}
