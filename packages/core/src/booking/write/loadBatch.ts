/**
 * Locks what a batch is about, then reads what deciding it needs: one statement
 * each, however many requests. In the order of all locks
 * (`docs/concepts/lock-order.md`): offerings, sessions, guests, bookings,
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

  /** A class is sold by its session: only that row is locked, so its other sessions sell on. */
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
      // Read after the lock of each place and network: a booking of another process counts as soon as it is committed.
      return { customers, bookings: locked, unproven: visits.length === 0 ? [] : yield* bookings.unproven(visits) }
    })

  return (requests: ReadonlyArray<BookingRequest>, isFirst: boolean) =>
    Effect.gen(function*() {
      const places = requests.map(lockKeys)
      const orders = requests.flatMap((request) => "order" in request ? [request.order] : [])
      // What is moved keeps its payments as they are.
      const settled = new Set(requests.flatMap((request) =>
        "change" in request && request.change._tag !== "Move"
          ? [State.rowKey(request.change.key)]
          : []
      ))
      const changed = requests.flatMap((request) => "order" in request ? [] : [request.change.key])
      // What needs nobody's answer is asked at once: that is one round trip where those count, and each costs who is alone
      // as much as a dozen statements.
      const first = yield* all({
        places: lockPlaces(places),
        orgs: all(Object.fromEntries(requests.map(orgIdOfRequest).map((orgId) => [orgId, orgFacts(orgId)])))
      })
      const known: State.Rows = {
        ...first.places,
        // The moment is taken after the locks: who waited for a place sees it as it is now.
        now: yield* currentTime,
        orgs: new Map(Object.entries(first.orgs)),
        sameKeys: [],
        unproven: [],
        customers: [],
        bookings: [],
        payments: []
      }

      // An order's question is about its place alone. What a change asks depends on its booking, once that is locked.
      const early = State.make(known)
      const { answered, classes, rows, sameKeys } = yield* all({
        rows: lockRows(early, orders, changed),
        classes: offerings.find(distinct(places.map((place) => place.class))),
        // Read before the lock, a repeat would not know of the booking that has its place.
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

/** Asks all questions at once; who sell the same session ask the same. */
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
      // One of the two is nearly always empty, and answered without being asked. A fiber of its own would have the other
      // come too late to travel with what is asked beside it.
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
 * Locks the guests of a batch, those named by id and those by address, in one
 * statement and so in one order: by address, which is what never changes of a
 * guest until they are erased.
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
      // Who was erased, be it while we waited, stays erased: they need no lock.
      const isLocked = new Set(locked.map(State.rowKey))
      const erased = yield* customers.find(named.filter((one) => !isLocked.has(State.rowKey(one))))
      return [...locked, ...erased]
    })
)
