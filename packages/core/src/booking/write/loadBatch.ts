/**
 * Locks the rows for a batch and reads the facts for its decisions. Each table takes one statement, regardless of the
 * number of requests. The lock order (`docs/concepts/lock-order.md`) is offerings, sessions, discount codes, guests,
 * bookings, and payments. Each of the three steps is one round trip. For an unbatched request, a round trip costs as
 * much as a dozen statements.
 *
 * 1. Lock the places and discount codes, and read the orgs.
 * 2. Lock the guests and bookings. Read the classes, the closures, the bookings for idempotency keys, the uses of the
 *    codes, and the occupancy for creates.
 * 3. If the batch has updates: lock the payments, and read the occupancy for the updates, which depends on the locked
 *    bookings.
 */
import * as Effect from "effect/Effect"
import { sequential } from "../../concurrency/scheduler.ts"
import { CustomerStore } from "../../customer/Customer.ts"
import { ClosureStore, getFirstRelevantClosureDate } from "../../offering/closure/Closure.ts"
import { type DiscountCodeKey, DiscountStore } from "../../offering/discount/DiscountCode.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { makeLockPayments } from "../../payment/online/updateBookingAndPayments.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { type BookedSeatsQuery, SessionStore } from "../../session/Session.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Instant } from "../../time/Instant.ts"
import * as Zone from "../../time/Zone.ts"
import { BookingStore, type OverlapQuery, type UnprovenBookingsQuery } from "../BookingStore.ts"
import type { CreateBookingRequest } from "../createBooking.ts"
import { getNetworkLimitStart } from "../unprovenBookingLimits.ts"
import * as State from "./BatchState.ts"
import { type BookingRequest, findDiscountCodeKey, getLockKeys, getRequestOrgId } from "./BookingRequest.ts"
import type { LoadedBatch } from "./decideBatch.ts"
import { type OccupancyQuery, type PlaceOccupancy, toOccupancyQuery } from "./occupancy.ts"

export const makeLoadBatch = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const closures = yield* ClosureStore
  const discounts = yield* DiscountStore
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const sessions = yield* SessionStore
  const { queryAll, queryInOrder } = yield* UnitOfWork
  const lockGuests = yield* makeLockCustomers
  const loadOccupancies = yield* makeLoadOccupancies
  const lockPayments = yield* makeLockPayments

  const loadOrgFacts = (orgId: string) =>
    Effect.map(Effect.orDie(Effect.flatten(orgs.find(orgId))), (org) => ({ org, zone: Zone.get(org.timezone) }))

  /**
   * Locks the places and the discount codes. A class booking locks only its session, so the class's other sessions
   * remain available.
   */
  const lockPlaces = (places: ReadonlyArray<ReturnType<typeof getLockKeys>>, codes: ReadonlyArray<DiscountCodeKey>) => {
    const offeringKeys = distinct(places.map(({ offering }) => offering))
    const sessionKeys = distinct(places.flatMap(({ sessions }) => sessions))
    // A batch usually has only sessions or only offerings, and a single statement needs no fibers.
    const isSingle = [offeringKeys, sessionKeys, codes].filter(({ length }) => length > 0).length < 2
    return (isSingle ? sequential : queryInOrder)({
      offerings: offerings.lock(offeringKeys),
      sessions: sessions.lock(sessionKeys),
      discounts: discounts.lockByCode(codes)
    })
  }

  const lockRows = (
    creates: ReadonlyArray<CreateBookingRequest>,
    updateKeys: ReadonlyArray<OrgKey>,
    unprovenQueries: ReadonlyArray<UnprovenBookingsQuery>
  ) =>
    Effect.gen(function*() {
      const customers = yield* lockGuests(creates)
      const records = yield* bookings.lock(distinct(updateKeys))
      // Read the unproven bookings after all places and networks are locked, so that bookings committed by other
      // processes are included.
      return {
        customers,
        bookings: records,
        unproven: unprovenQueries.length === 0 ? [] : yield* bookings.findUnproven(unprovenQueries)
      }
    })

  const loadDiscountUses = ({ discounts: codes, now }: Pick<State.BatchRows, "discounts" | "now">) => {
    const limitedCodes = codes.filter(({ maxUses }) => maxUses !== null)
    return limitedCodes.length === 0 ? Effect.succeed([]) : discounts.uses(limitedCodes, now)
  }

  return (requests: ReadonlyArray<BookingRequest>, isFirstAttempt: boolean) =>
    Effect.gen(function*() {
      const places = requests.map(getLockKeys)
      const creates = requests.flatMap((request) => "create" in request ? [request.create] : [])
      const updates = requests.flatMap((request) => "update" in request ? [request.update] : [])
      const distinctOrgs = [
        ...new Set(requests.flatMap((request) => canTakePlace(request) ? [getRequestOrgId(request)] : []))
      ]
      const closedSince = getFirstRelevantClosureDate(yield* currentTime)
      const loadRows = (
        queries: ReadonlyArray<OccupancyQuery | undefined>,
        unprovenQueries: ReadonlyArray<UnprovenBookingsQuery>,
        firstRows: Pick<State.BatchRows, "discounts" | "now">
      ) =>
        queryAll({
          lockedRows: lockRows(creates, updates.map(({ key }) => key), unprovenQueries),
          classes: offerings.find(distinct(places.map((place) => place.class))),
          // Read the existing bookings after the lock. Otherwise, a retry could miss the booking that its first attempt
          // created. Before the first attempt, no booking can have a generated key, so the read is skipped.
          existingByKey: bookings.findByIdempotencyKey(
            creates.flatMap(({ idempotency: { key }, isGeneratedKey, orgId }) =>
              isFirstAttempt && isGeneratedKey === true ? [] : [{ orgId, key }]
            )
          ),
          // A closure locks the places that it closes, so this read finds every committed closure.
          closureRows: closures.since(distinctOrgs, closedSince),
          occupancies: loadOccupancies(queries),
          // Read the usage after the locks so that it includes uses that other processes have committed.
          discountUses: loadDiscountUses(firstRows)
        })
      const lockResults = yield* queryAll({
        places: lockPlaces(places, requests.flatMap((request) => findDiscountCodeKey(request) ?? [])),
        orgs: queryAll(Object.fromEntries(requests.map(getRequestOrgId).map((orgId) => [orgId, loadOrgFacts(orgId)])))
      })
      const rows: State.BatchRows = {
        ...lockResults.places,
        // Read the time after the locks so that a request that waited for a place is decided at the current time.
        now: yield* currentTime,
        orgs: new Map(Object.entries(lockResults.orgs)),
        existingByKey: [],
        unproven: [],
        closures: [],
        discountUses: [],
        customers: [],
        bookings: [],
        payments: []
      }

      const state = State.make(rows)
      const queries = requests.map((request) => "create" in request ? toOccupancyQuery(state, request) : undefined)
      const unprovenQueries = distinctQueries(
        requests.flatMap((request, index) =>
          "create" in request ? makeUnprovenQueries(rows.now, request.create, queries[index]) : []
        )
      )
      // Send this step only after the response to step 1 has arrived. A read that is sent together with a lock could
      // run before the lock is taken.
      const { classes, closureRows, discountUses, existingByKey, lockedRows, occupancies } = yield* loadRows(
        queries,
        unprovenQueries,
        rows
      )
      const loaded: LoadedBatch = {
        ...rows,
        ...lockedRows,
        closures: closureRows,
        discountUses,
        existingByKey,
        occupancies,
        offerings: [...classes, ...rows.offerings]
      }
      if (updates.length === 0) return loaded

      const stateWithBookings = State.make(loaded)
      // A move does not change the amount due.
      const bookingKeys = new Set(updates.filter(({ _tag }) => _tag !== "Move").map(({ key }) => State.toRowKey(key)))
      const { payments, updateOccupancies } = yield* queryAll({
        updateOccupancies: loadOccupancies(
          requests.map((request) => "update" in request ? toOccupancyQuery(stateWithBookings, request) : undefined)
        ),
        payments: lockPayments(loaded.bookings.filter(({ booking }) => bookingKeys.has(State.toRowKey(booking))))
      })
      return { ...loaded, payments, occupancies: updateOccupancies.map((one, index) => occupancies[index] ?? one) }
    })
})

/**
 * Returns whether a request takes a place. A live hold keeps its place when it is confirmed, so it needs no closures.
 * If the hold expires before the decision, the request is retried.
 */
const canTakePlace = (request: BookingRequest): boolean =>
  "create" in request || request.update._tag === "Move" || (request.update._tag !== "Cancel" && request.locksClass)

const distinctBy = <A>(values: ReadonlyArray<A | undefined>, toKey: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(values.flatMap((value) => value === undefined ? [] : [[toKey(value), value]])).values()
]

const distinct = <Row extends OrgKey>(keys: ReadonlyArray<Row | undefined>) => distinctBy(keys, State.toRowKey)

type Query = BookedSeatsQuery | OverlapQuery | UnprovenBookingsQuery

/** Returns the same text for equal queries, because queries of one kind always list their fields in the same order. */
const toQueryKey = (query: Query): string => JSON.stringify(query)

const distinctQueries = <A extends Query>(queries: ReadonlyArray<A>) => distinctBy(queries, toQueryKey)

/** Returns the queries for the unproven bookings that limit a visitor's new booking. */
const makeUnprovenQueries = (
  now: Instant,
  { offeringId, orgId, visitor }: CreateBookingRequest,
  query: OccupancyQuery | undefined
): ReadonlyArray<UnprovenBookingsQuery> => {
  if (visitor === undefined || query === undefined) return []
  const { network } = visitor
  const placeFilter = "seats" in query
    ? { sessionId: query.seats.id }
    : { offeringId, startsBefore: query.overlap.startsBefore, endsAfter: query.overlap.endsAfter }
  return [
    ...network === null ? [] : [{ orgId, now, network, madeAfter: getNetworkLimitStart(now) }],
    { orgId, now, ...placeFilter }
  ]
}

/**
 * Creates a function that runs all occupancy queries. Requests for the same place and time share a query, so a batch for
 * one start reads its bookings only once.
 */
const makeLoadOccupancies = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const sessions = yield* SessionStore
  const { queryAll } = yield* UnitOfWork

  return (queries: ReadonlyArray<OccupancyQuery | undefined>) =>
    Effect.gen(function*() {
      const seatsQueries = distinctQueries(
        queries.flatMap((query) => query !== undefined && "seats" in query ? [query.seats] : [])
      )
      const overlapQueries = distinctQueries(
        queries.flatMap((query) => query !== undefined && "overlap" in query ? [query.overlap] : [])
      )
      // One of the two lists is nearly always empty and needs no query. A separate fiber would delay the other query,
      // which would then miss the round trip that concurrent queries share.
      const { booked, overlaps } =
        yield* (seatsQueries.length > 0 && overlapQueries.length > 0 ? queryAll : sequential)({
          booked: sessions.countBookedSeats(seatsQueries),
          overlaps: bookings.overlapping(overlapQueries)
        })
      const seatsByKey = new Map(seatsQueries.map((query, index) => [toQueryKey(query), booked[index]]))
      const overlapsByKey = new Map(overlapQueries.map((query, index) => [toQueryKey(query), overlaps[index]]))
      return queries.map((query): PlaceOccupancy | undefined => {
        if (query === undefined) return undefined
        if ("seats" in query) {
          const { booked = 0, lapsedAt = null } = seatsByKey.get(toQueryKey(query.seats)) ?? {}
          return { query, seats: booked, bookedSpans: [], lapsedAt }
        }
        const { lapsedAt = null, bookedSpans = [] } = overlapsByKey.get(toQueryKey(query.overlap)) ?? {}
        return { query, seats: 0, bookedSpans, lapsedAt }
      })
    })
})

/**
 * Locks the guests in a batch, which requests name by ID or email address. One statement locks all guests in order of
 * their email addresses. An email address changes only when the guest is erased.
 */
const makeLockCustomers = Effect.map(
  CustomerStore,
  (customers) => (orders: ReadonlyArray<CreateBookingRequest>) =>
    Effect.gen(function*() {
      const namedGuests = yield* customers.find(
        distinct(orders.map(({ customerId: id, orgId }) => id === undefined ? undefined : { orgId, id }))
      )
      const addressKeys = orders.flatMap(({ contact, orgId }) =>
        contact === undefined || contact.email === "" ? [] : [{ orgId, id: contact.email }]
      )
      const reachableGuests = namedGuests.filter(({ erasedAt }) => erasedAt === null)
      const lockedGuests = yield* customers.lockByEmail(
        distinct([...addressKeys, ...reachableGuests.map(({ email, orgId }) => ({ orgId, id: email }))])
          .map(({ id: email, orgId }) => ({ orgId, email }))
      )
      // An erasure is final, even if it happened while this transaction waited, so erased guests need no lock.
      const lockedKeys = new Set(lockedGuests.map(State.toRowKey))
      const erasedGuests = yield* customers.find(namedGuests.filter((one) => !lockedKeys.has(State.toRowKey(one))))
      return [...lockedGuests, ...erasedGuests]
    })
)
