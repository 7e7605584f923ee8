/**
 * Locks the rows of a batch and reads the facts for its decisions, with one statement per table regardless of the
 * number of requests. The lock order (`docs/concepts/lock-order.md`) is offerings, sessions, guests, bookings,
 * payments.
 */
import * as Effect from "effect/Effect"
import { CustomerStore } from "../../customer/CustomerStore.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { OrgStore } from "../../org/OrgStore.ts"
import { makeLockPayments } from "../../payment/online/lockPayments.ts"
import { QueryConcurrency, sequential } from "../../port/QueryConcurrency.ts"
import { SessionStore } from "../../session/SessionStore.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Zone from "../../time/Zone.ts"
import { BookingStore, type UnprovenQuery } from "../BookingStore.ts"
import type { CreateBooking } from "../createBooking.ts"
import { networkSince } from "../unprovenLimits.ts"
import * as State from "./BatchState.ts"
import { type BookingRequest, lockKeys, orgIdOfRequest } from "./BookingRequest.ts"
import type { BatchFacts } from "./decideBatch.ts"
import { type OccupancyQuery, occupancyQueryFor, type OccupancyResult } from "./occupancyQuery.ts"

export const makeLoadBatch = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const sessions = yield* SessionStore
  const all = yield* QueryConcurrency
  const lockGuests = yield* makeLockCustomers
  const ask = yield* makeRunOccupancyQueries
  const lockPayments = yield* makeLockPayments

  const orgFacts = (orgId: string) =>
    Effect.gen(function*() {
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
      return { org, zone: Zone.get(org.timezone) }
    })

  /** A booking of a class locks only its session, so that other sessions of the class stay available. */
  const lockPlaces = (places: ReadonlyArray<ReturnType<typeof lockKeys>>) =>
    Effect.gen(function*() {
      const lockedOfferings = yield* offerings.lock(distinct(places.map(({ offering }) => offering)))
      return {
        offerings: lockedOfferings,
        sessions: yield* sessions.lock(distinct(places.flatMap(({ sessions }) => sessions)))
      }
    })

  const lockRows = (early: State.BatchState, orders: ReadonlyArray<CreateBooking>, changed: ReadonlyArray<OrgKey>) =>
    Effect.gen(function*() {
      const customers = yield* lockGuests(orders)
      const locked = yield* bookings.lock(distinct(changed))
      const visits = orders.flatMap((order) => unprovenQueries(early, order))
      // Read after the locks of each place and network, so that bookings committed by other processes are included.
      return { customers, bookings: locked, unproven: visits.length === 0 ? [] : yield* bookings.unproven(visits) }
    })

  return (requests: ReadonlyArray<BookingRequest>, isFirst: boolean) =>
    Effect.gen(function*() {
      const places = requests.map(lockKeys)
      const orders = requests.flatMap((request) => "order" in request ? [request.order] : [])
      // A move does not change payments.
      const settled = new Set(requests.flatMap((request) =>
        "change" in request && request.change._tag !== "Move"
          ? [State.rowKey(request.change.key)]
          : []
      ))
      const changed = requests.flatMap((request) => "order" in request ? [] : [request.change.key])
      // Independent queries run concurrently, which saves a round trip. For an unbatched request, one round trip costs
      // as much as a dozen statements.
      const first = yield* all({
        places: lockPlaces(places),
        orgs: all(Object.fromEntries(requests.map(orgIdOfRequest).map((orgId) => [orgId, orgFacts(orgId)])))
      })
      const known: State.Rows = {
        ...first.places,
        // Taken after the locks, so that a request that waited for a place is decided at the current time.
        now: yield* currentTime,
        orgs: new Map(Object.entries(first.orgs)),
        sameKeys: [],
        unproven: [],
        customers: [],
        bookings: [],
        payments: []
      }

      // The query for a create depends only on its place. The query for an update depends on its booking, after the
      // lock.
      const early = State.make(known)
      const { answered, classes, rows, sameKeys } = yield* all({
        rows: lockRows(early, orders, changed),
        classes: offerings.find(distinct(places.map((place) => place.class))),
        // Read after the lock. Otherwise a retry could miss the booking that its first attempt created.
        sameKeys: bookings.findByIdempotencyKey(
          orders.flatMap(({ idempotency: { key }, isKeyNew, orgId }) =>
            isFirst && isKeyNew === true ? [] : [{ orgId, key }]
          )
        ),
        answered: ask(requests.map((request) => "order" in request ? occupancyQueryFor(early, request) : undefined))
      })
      const found: State.Rows = { ...known, ...rows, sameKeys, offerings: [...classes, ...known.offerings] }
      if (changed.length === 0) return { ...found, answered } satisfies BatchFacts
      const state = State.make(found)
      const { late, payments } = yield* all({
        late: ask(requests.map((request) => "order" in request ? undefined : occupancyQueryFor(state, request))),
        payments: lockPayments(found.bookings.filter(({ booking }) => settled.has(State.rowKey(booking))))
      })
      return { ...found, payments, answered: answered.map((one, at) => one ?? late[at]) } satisfies BatchFacts
    })
})

const distinct = <Row extends OrgKey>(keys: ReadonlyArray<Row | undefined>): ReadonlyArray<Row> => [
  ...new Map(keys.flatMap((key) => key === undefined ? [] : [[State.rowKey(key), key]])).values()
]

/** The queries for the unproven bookings that limit a visitor's new booking. */
const unprovenQueries = (state: State.BatchState, order: CreateBooking): ReadonlyArray<UnprovenQuery> => {
  const { offeringId, orgId, visitor } = order
  if (visitor === undefined) return []
  const question = occupancyQueryFor(state, { order })
  if (question === undefined) return []
  const { network } = visitor
  const { now } = state
  const ofPlace = "seats" in question
    ? { sessionId: question.seats.id }
    : { offeringId, startsBefore: question.overlap.startsBefore, endsAfter: question.overlap.endsAfter }
  return [
    ...network === null ? [] : [{ orgId, now, network, madeAfter: networkSince(now) }],
    { orgId, now, ...ofPlace }
  ]
}

/** Runs all queries concurrently. Requests for the same session share a query. */
const makeRunOccupancyQueries = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const sessions = yield* SessionStore
  const all = yield* QueryConcurrency

  return (questions: ReadonlyArray<OccupancyQuery | undefined>) =>
    Effect.gen(function*() {
      const overlaps = questions.flatMap((question) =>
        question !== undefined && "overlap" in question ? [question] : []
      )
      const seats = new Map(
        questions.flatMap((question) =>
          question !== undefined && "seats" in question ? [[seatsName(question), question]] : []
        )
      )
      // One of the two is nearly always empty and needs no query. A separate fiber would delay the other, so that it
      // misses the round trip of the concurrent queries.
      const { booked, touched } = yield* (seats.size > 0 && overlaps.length > 0 ? all : sequential)({
        booked: sessions.booked([...seats.values()].map(({ seats }) => seats)),
        touched: bookings.overlapping(overlaps.map(({ overlap }) => overlap))
      })
      const seatsOf = new Map([...seats.keys()].map((name, at) => [name, booked[at]]))
      const overlapOf = new Map(overlaps.map((question, at) => [question, touched[at]]))
      return questions.map((question): OccupancyResult | undefined => {
        if (question === undefined) return undefined
        if ("seats" in question) {
          const { booked = 0, lapsedAt = null } = seatsOf.get(seatsName(question)) ?? {}
          return { question, seats: booked, taken: [], lapsedAt }
        }
        const { lapsedAt = null, taken = [] } = overlapOf.get(question) ?? {}
        return { question, seats: 0, taken, lapsedAt }
      })
    })
})

const seatsName = ({ seats }: Extract<OccupancyQuery, { readonly seats: unknown }>): string =>
  `${State.rowKey(seats)} ${seats.now} ${seats.except ?? ""}`

/**
 * Locks the guests of a batch, named by ID or by email, in one statement and in one order. They are sorted by email,
 * which changes only when a guest is erased.
 */
const makeLockCustomers = Effect.map(
  CustomerStore,
  (customers) => (orders: ReadonlyArray<CreateBooking>) =>
    Effect.gen(function*() {
      const named = yield* customers.find(
        distinct(orders.map(({ customerId: id, orgId }) => id === undefined ? undefined : { orgId, id }))
      )
      const addressed = orders.flatMap(({ contact, orgId }) =>
        contact === undefined ? [] : [{ orgId, id: contact.email }]
      )
      const reachable = named.filter(({ erasedAt }) => erasedAt === null)
      const locked = yield* customers.lockByEmail(
        distinct([...addressed, ...reachable.map(({ email, orgId }) => ({ orgId, id: email }))])
          .map(({ id: email, orgId }) => ({ orgId, email }))
      )
      // An erasure is final, even if it happened while this transaction waited, so erased guests need no lock.
      const isLocked = new Set(locked.map(State.rowKey))
      const erased = yield* customers.find(named.filter((one) => !isLocked.has(State.rowKey(one))))
      return [...locked, ...erased]
    })
)
