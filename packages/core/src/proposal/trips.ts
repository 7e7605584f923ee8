/**
 * Reads trips: sessions with their bookings, and individual appointment and rental bookings. Also reads the weather and
 * river data for their offerings.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Trip, TripBooking } from "../automation/Trip.ts"
import { computeBalance, computeCancellationRefund } from "../booking/balance.ts"
import { isLive } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { getContactEmail } from "../customer/Customer.ts"
import {
  Forecast,
  type GaugeMeasurement,
  type HourlyForecast,
  makeSignalUnavailable,
  RiverGauge,
  type RiverReading,
  type SignalUnavailable
} from "../forecast/Signals.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { isMoneyWithheld } from "../payment/Payment.ts"
import { largeRowPageSize, readInPages, smallRowPageSize } from "../port/readInPages.ts"
import { type BookedSession, SessionStore } from "../session/Session.ts"
import type { Instant } from "../time/Instant.ts"
import { toCreationPosition, toStartPosition } from "../wire/Cursor.ts"

/** A half-open range of start times in an org. */
export interface TripQuery {
  readonly orgId: string
  readonly from: Instant
  readonly to: Instant
  readonly now: Instant
}

/** The maximum number of trips in an automation's range. Later trips are processed once their start gets closer. */
const maxRows = 5000

export const makeTripReader = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const offerings = yield* OfferingStore
  const sessions = yield* SessionStore

  const recordsIn = ({ from, orgId, to }: Omit<TripQuery, "now">, sessionId?: string) =>
    readInPages({
      limit: maxRows,
      atOnce: smallRowPageSize,
      positionOf: ({ booking }: BookingRecord) => toStartPosition(booking),
      read: (after, limit) => bookings.list({ orgId, from, to, sessionId, order: "asc", after, limit })
    })

  const sessionsIn = (
    { from, now, orgId, to }: TripQuery,
    status: "scheduled" | undefined,
    offeringId?: string
  ) =>
    readInPages({
      limit: maxRows,
      atOnce: smallRowPageSize,
      positionOf: ({ session }: BookedSession) => toStartPosition(session),
      read: (after, limit) => sessions.list({ orgId, offeringId, from, to, status, after, limit, now })
    })

  const offeringsOf = (orgId: string) =>
    readInPages({
      limit: maxRows,
      atOnce: largeRowPageSize,
      positionOf: toCreationPosition,
      read: (after, limit) => offerings.list({ orgId, after, limit })
    })

  /** Returns the trips that start in a range, ordered by start. */
  const tripsIn = (filter: TripQuery) =>
    Effect.gen(function*() {
      const allOfferings = yield* offeringsOf(filter.orgId)
      const records = (yield* recordsIn(filter)).filter(({ booking }) => isLive(booking, filter.now))
      const scheduledSessions = yield* sessionsIn(filter, "scheduled")
      const recordsBySession = new Map<string, Array<BookingRecord>>()
      for (const record of records) {
        const { sessionId } = record.booking
        if (sessionId === null) continue
        const sessionRecords = recordsBySession.get(sessionId)
        if (sessionRecords === undefined) recordsBySession.set(sessionId, [record])
        else sessionRecords.push(record)
      }
      const offeringsById = new Map(allOfferings.map((offering) => [offering.id, offering]))
      const sessionTrips = scheduledSessions.flatMap(({ session }): ReadonlyArray<TripWithRecords> => {
        const offering = offeringsById.get(session.offeringId)
        if (offering === undefined) return []
        const sessionRecords = recordsBySession.get(session.id) ?? []
        return [{ offering, records: sessionRecords, trip: makeTrip(offering, session, session.id, sessionRecords) }]
      })
      const bookingTrips = records.flatMap((record): ReadonlyArray<TripWithRecords> => {
        const offering = offeringsById.get(record.booking.offeringId)
        if (offering === undefined || record.booking.sessionId !== null) return []
        return [{ offering, records: [record], trip: makeTrip(offering, record.booking, null, [record]) }]
      })
      return [...sessionTrips, ...bookingTrips].sort((a, b) => a.trip.startsAt - b.trip.startsAt)
    })

  return { offeringsOf, recordsIn, sessionsIn, tripsIn }
})

/** Finds the customers whose last email failed. */
export const makeFindBouncedCustomers = Effect.map(
  ConversationStore,
  ({ findByCustomer }) => (orgId: string, customerIds: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>> =>
    Effect.map(
      findByCustomer([...new Set(customerIds)].map((id) => ({ orgId, id }))),
      (rows) => new Set(rows.flatMap(({ bouncedAt, customerId }) => bouncedAt === null ? [] : customerId ?? []))
    )
)

export interface TripWithRecords {
  readonly offering: Offering
  readonly records: ReadonlyArray<BookingRecord>
  readonly trip: Trip
}

const makeTrip = (
  { id, kind, name }: Offering,
  { endsAt, startsAt }: Pick<Trip, "startsAt" | "endsAt">,
  sessionId: string | null,
  records: ReadonlyArray<BookingRecord>
): Trip => ({
  sessionId,
  offeringId: id,
  offering: name,
  kind,
  startsAt,
  endsAt,
  parties: records.map(toTripBooking)
})

export const toTripBooking = ({ booking, customer }: BookingRecord): TripBooking => {
  const returnAmounts = computeCancellationRefund(booking, 0)
  return {
    bookingId: booking.id,
    customerId: booking.customerId,
    reachable: getContactEmail(customer) !== "",
    confirmed: booking.status === "confirmed",
    isNoShow: booking.attendance?.status === "no_show",
    quantity: booking.quantity,
    dueCents: computeBalance(booking).dueCents,
    refundCents: Math.max(0, returnAmounts.onlineCents),
    owed: {
      cents: Math.max(0, returnAmounts.cents - Math.max(0, returnAmounts.onlineCents)),
      currency: booking.currency
    },
    isDisputed: isMoneyWithheld(booking.dispute),
    createdAt: booking.createdAt
  }
}

/**
 * The recent weather and river data for an offering. It comes from external services, so never read it inside a
 * transaction.
 */
export interface WeatherData {
  /** The weather. Undefined if the offering has no coordinates. */
  readonly weather: HourlyForecast | SignalUnavailable | undefined
  /** The river level. Undefined if the offering has no gauge. */
  readonly river: RiverReading | SignalUnavailable | undefined
}

/** Creates a reader of weather and river data. If no source is configured, no data is available. */
export const makeWeatherReader = Effect.gen(function*() {
  const forecast = Option.getOrElse(yield* Effect.serviceOption(Forecast), () => Forecast.none)
  const gauge = Option.getOrElse(yield* Effect.serviceOption(RiverGauge), () => RiverGauge.none)

  const readOffering = ({ gaugeSite, lat, lon }: Offering, now: Instant): Effect.Effect<WeatherData> =>
    Effect.all({
      weather: lat === null || lon === null
        ? Effect.succeed(undefined)
        : Effect.map(forecast.at({ lat, lon }), (answer) => dropStaleForecast(answer, now)),
      river: gaugeSite === null
        ? Effect.succeed(undefined)
        : Effect.map(gauge.at(gaugeSite), (answer) => dropStaleMeasurements(answer, now))
    }, { concurrency: "unbounded" })

  return {
    /** Reads the data for several offerings, once per offering. */
    of: (offerings: ReadonlyArray<Offering>, now: Instant): Effect.Effect<ReadonlyMap<string, WeatherData>> => {
      const each = [...new Map(offerings.map((offering) => [offering.id, offering])).values()]
      return Effect.map(
        Effect.forEach(
          each,
          (offering) => Effect.map(readOffering(offering, now), (weather) => [offering.id, weather] as const),
          { concurrency: atOnce }
        ),
        (entries) => new Map(entries)
      )
    }
  }
})

/** Weather services reject hundreds of concurrent requests. */
const atOnce = 4

const minuteMs = 60_000

/**
 * The maximum age for each kind of data, in milliseconds. A forecast is valid for 3 hours after it is read if it was
 * issued within the last 12 hours, because weather services update their forecasts two to four times a day. A gauge
 * reading is valid for 2 hours after its measurement. Sources can cache data for any length of time, so its age is
 * checked where it is used.
 */
const maxAgeMs = { forecast: 180 * minuteMs, issue: 720 * minuteMs, gauge: 120 * minuteMs } as const

/** The tolerance for clock differences. Data further ahead of the clock is dropped. */
const aheadMs = 10 * minuteMs

const isFresh = (at: Instant, now: Instant, forMs: number): boolean => at >= now - forMs && at <= now + aheadMs

/** Returns the forecast, unless it is stale. */
export const dropStaleForecast = (
  answer: HourlyForecast | SignalUnavailable,
  now: Instant
): HourlyForecast | SignalUnavailable =>
  answer._tag === "NoSignal" ||
    (isFresh(answer.readAt, now, maxAgeMs.forecast) && isFresh(answer.issuedAt, now, maxAgeMs.issue))
    ? answer
    : makeSignalUnavailable(answer.source, "stale")

/** Removes stale values from a reading. */
export const dropStaleMeasurements = (
  answer: RiverReading | SignalUnavailable,
  now: Instant
): RiverReading | SignalUnavailable => {
  if (answer._tag === "NoSignal") return answer
  const counts = (measured: GaugeMeasurement | null): GaugeMeasurement | null =>
    measured !== null && Number.isFinite(measured.value) && measured.value !== noValue &&
      isFresh(measured.at, now, maxAgeMs.gauge)
      ? measured
      : null
  const flowCfs = counts(answer.flowCfs)
  const gageFt = counts(answer.gageFt)
  return flowCfs === null && gageFt === null
    ? makeSignalUnavailable(answer.source, "stale")
    : { ...answer, flowCfs, gageFt }
}

/** The value that gauges report if they have no data. */
const noValue = -999_999
