/** Reads trips: sessions with their bookings, and individual appointment and rental bookings. */
import * as Effect from "effect/Effect"
import type { Trip, TripBooking } from "../automation/Trip.ts"
import { computeBalance, computeCancellationRefund } from "../booking/balance.ts"
import { isLive } from "../booking/Booking.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import { getContactEmail } from "../customer/Customer.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import { isMoneyWithheld } from "../payment/Payment.ts"
import { largeRowPageSize, readInPages, smallRowPageSize } from "../port/readInPages.ts"
import { type BookedSession, SessionStore } from "../session/Session.ts"
import type { Instant } from "../time/Instant.ts"
import { toCreationPosition, toStartPosition } from "../wire/Cursor.ts"

/** A half-open range of start times in an org. */
export interface TripFilter {
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

  const recordsIn = ({ from, orgId, to }: Omit<TripFilter, "now">, sessionId?: string) =>
    readInPages({
      limit: maxRows,
      atOnce: smallRowPageSize,
      positionOf: ({ booking }: BookingRecord) => toStartPosition(booking),
      read: (after, limit) => bookings.list({ orgId, from, to, sessionId, order: "asc", after, limit })
    })

  const sessionsIn = (
    { from, now, orgId, to }: TripFilter,
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
  const tripsIn = (filter: TripFilter) =>
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
      const sessionTrips = scheduledSessions.flatMap(({ session }): ReadonlyArray<TripLookup> => {
        const offering = offeringsById.get(session.offeringId)
        if (offering === undefined) return []
        const sessionRecords = recordsBySession.get(session.id) ?? []
        return [{ offering, records: sessionRecords, trip: makeTrip(offering, session, session.id, sessionRecords) }]
      })
      const bookingTrips = records.flatMap((record): ReadonlyArray<TripLookup> => {
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

export interface TripLookup {
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
