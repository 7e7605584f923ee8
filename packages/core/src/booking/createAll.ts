/**
 * Deciding a batch of orders one after the other, each over what the ones
 * before it left: seats, spans, guests and keys. Pure; what comes out is
 * written by the caller in one unit of work.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { judged, notBefore } from "../capacity/judged.ts"
import type { Taken } from "../capacity/kept.ts"
import type { Customer } from "../customer/Customer.ts"
import { customerEvent } from "../customer/Customers.ts"
import * as Decider from "../Decider.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Key } from "../offering/OfferingStore.ts"
import { endOf } from "../offering/slots.ts"
import type { NewEvent } from "../port/EventLog.ts"
import type { Errand } from "../port/Outbox.ts"
import type { Session } from "../session/Session.ts"
import type { Seats } from "../session/SessionStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import { announce } from "./announce.ts"
import type { Booking } from "./Booking.ts"
import { bookingDecider } from "./BookingDecider.ts"
import type { Touched, TouchQuery } from "./BookingStore.ts"
import type { BookingRecord } from "./BookingView.ts"
import {
  create,
  type Created,
  type CreateRefusal,
  type Draw,
  type Order,
  type OrderFacts,
  type PaymentsUnasked
} from "./create.ts"
import { touch, type Use } from "./target.ts"

/**
 * What was read for a batch once its places were locked.
 *
 * @since 0.1.0
 * @category models
 */
export interface BatchFacts {
  /** By the clock; each place has its own, not before it was judged last. */
  readonly now: Instant
  readonly orgs: ReadonlyMap<string, Pick<OrderFacts, "org" | "zone">>
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  /** The seats booked in each of the sessions. */
  readonly booked: ReadonlyArray<Seats>
  readonly customers: ReadonlyArray<Customer>
  /** Bookings made earlier with a key of the batch. */
  readonly sameKeys: ReadonlyArray<BookingRecord>
  /** For each order what may touch its span; nothing was asked for one of a session. */
  readonly touched: ReadonlyArray<Touched | undefined>
}

/**
 * What to answer each order, in order, and what to write.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sold {
  readonly answers: ReadonlyArray<Either.Either<BookingRecord, CreateRefusal | PaymentsUnasked>>
  readonly bookings: ReadonlyArray<Booking>
  readonly customers: ReadonlyArray<Customer>
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly events: ReadonlyArray<NewEvent>
  readonly errands: ReadonlyArray<Errand>
}

/**
 * @since 0.1.0
 * @category deciding
 */
export const createAll = (orders: ReadonlyArray<Order>, draws: ReadonlyArray<Draw>, facts: BatchFacts): Sold => {
  const state = stateOf(facts)
  const answers: Array<Either.Either<BookingRecord, CreateRefusal | PaymentsUnasked>> = []
  const bookings: Array<Booking> = []
  const events: Array<NewEvent> = []
  const errands: Array<Errand> = []
  orders.forEach((order, at) => {
    const draw = draws[at]
    const org = facts.orgs.get(order.orgId)
    if (draw === undefined || org === undefined) throw new Error("An order came without its draw or its org.")
    const touched = facts.touched[at]
    const known = factsFor(state, order, org.zone, touched?.taken ?? [])
    const place = known.session ?? known.offering
    const now = place === undefined ? facts.now : notBefore(facts.now, place)
    const decided = create(order, draw, { ...org, ...known, now })
    answers.push(Either.map(decided, (created) => recordOf(state, created)))
    if (Either.isLeft(decided) || decided.right._tag === "Repeated") return
    const made = decided.right
    remember(state, made, touched?.lapsedAt ?? null)
    bookings.push(made.booking)
    const told = announce({
      before: null,
      after: made,
      events: Either.getOrThrow(Decider.run(bookingDecider)(made.booking, { _tag: "Place" })).events,
      now,
      newId: () => draw.errandId
    })
    if (made.customerChanged) events.push(customerEvent(made.customer, "customer.updated", now))
    events.push(...told.events)
    errands.push(...told.errands)
  })
  return {
    answers,
    bookings,
    events,
    errands,
    customers: [...state.changedCustomers.values()],
    offerings: [...state.changedOfferings.values()],
    sessions: [...state.changedSessions.values()]
  }
}

interface State {
  readonly offerings: Map<string, Offering>
  readonly sessions: Map<string, Session>
  readonly booked: Map<string, Seats>
  readonly customers: Map<string, Customer>
  readonly customersByEmail: Map<string, Customer>
  readonly sameKeys: Map<string, BookingRecord>
  /** What this batch has sold of each offering. */
  readonly sold: Map<string, Array<Taken>>
  readonly changedCustomers: Map<string, Customer>
  readonly changedOfferings: Map<string, Offering>
  readonly changedSessions: Map<string, Session>
}

const name = (orgId: string, id: string): string => `${orgId} ${id}`
const byKey = <Row extends Key>(rows: ReadonlyArray<Row>) => new Map(rows.map((row) => [name(row.orgId, row.id), row]))

const stateOf = (facts: BatchFacts): State => ({
  offerings: byKey(facts.offerings),
  sessions: byKey(facts.sessions),
  booked: new Map(facts.sessions.map(({ id, orgId }, at) => [name(orgId, id), facts.booked[at] ?? noSeats])),
  customers: byKey(facts.customers),
  customersByEmail: new Map(
    facts.customers.filter(({ erasedAt }) => erasedAt === null).map((one) => [name(one.orgId, one.email), one])
  ),
  sameKeys: new Map(facts.sameKeys.map((record) => [keyOf(record.booking), record])),
  sold: new Map(),
  changedCustomers: new Map(),
  changedOfferings: new Map(),
  changedSessions: new Map()
})

const noSeats: Seats = { booked: 0, lapsedAt: null }

const keyOf = ({ idempotency, orgId }: Pick<Booking, "orgId" | "idempotency">): string => name(orgId, idempotency.key)

const factsFor = (state: State, order: Order, zone: Zone, taken: ReadonlyArray<Taken>) => {
  const { contact, customerId, offeringId, orgId, sessionId } = order
  const session = sessionId === undefined ? undefined : state.sessions.get(name(orgId, sessionId))
  const use: Use = session === undefined
    ? { taken: [...taken, ...soldTouching(state, order, zone)] }
    : { session, booked: state.booked.get(name(orgId, session.id))?.booked ?? 0 }
  const customer = customerId === undefined
    ? state.customersByEmail.get(name(orgId, contact?.email ?? ""))
    : state.customers.get(name(orgId, customerId))
  return {
    offering: state.offerings.get(name(orgId, offeringId)),
    session,
    use,
    customer,
    sameKey: state.sameKeys.get(keyOf(order))
  }
}

/** Of what the batch has sold so far, what can count against an order: on a hot offering it has sold many other spans. */
const soldTouching = ({ offerings, sold }: State, order: Order, zone: Zone): ReadonlyArray<Taken> => {
  const place = name(order.orgId, order.offeringId)
  const before = sold.get(place)
  const offering = offerings.get(place)
  // Nearly every order is the only one of its batch for its offering.
  if (before === undefined || offering === undefined) return []
  // Whatever the moment: holds that were made just now live.
  const query = touchOf(order, offering, zone, offering.judgedAt)
  if (query === undefined) return []
  return before.filter(({ endsAt, startsAt }) => startsAt < query.startsBefore && endsAt > query.endsAfter)
}

/**
 * What an order for a span must know of the offering's bookings; nothing when it
 * will be refused anyway.
 *
 * @since 0.1.0
 * @category calculating
 */
export const touchOf = (
  { periods = 1, sessionId, startsAt }: Order,
  offering: Offering,
  zone: Zone,
  now: Instant
): TouchQuery | undefined => {
  if (sessionId !== undefined || startsAt === undefined) return undefined
  const endsAt = endOf(offering.kind, zone, startsAt, { periodMinutes: offering.durationMinutes, periods })
  return touch(offering, { startsAt, endsAt }, now)
}

type Made = Extract<Created, { _tag: "Made" }>

const remember = (state: State, made: Made, lapsedAt: Instant | null): void => {
  const { booking, customer, customerChanged } = made
  const { orgId, quantity, sessionId } = booking
  state.sameKeys.set(keyOf(booking), made)
  if (sessionId !== null) {
    const place = name(orgId, sessionId)
    const { booked, lapsedAt } = state.booked.get(place) ?? noSeats
    state.booked.set(place, { booked: booked + quantity, lapsedAt })
    const before = state.sessions.get(place)
    const session = before === undefined ? undefined : judged(before, lapsedAt)
    if (session !== undefined && session !== before) {
      state.sessions.set(place, session)
      state.changedSessions.set(place, session)
    }
  } else {
    const offering = judged(made.offering, lapsedAt)
    const place = name(orgId, offering.id)
    const { endsAt, startsAt } = booking
    const sold = state.sold.get(place) ?? []
    sold.push({ startsAt, endsAt, bookings: 1, quantity })
    state.sold.set(place, sold)
    if (state.offerings.get(place) !== offering) {
      state.offerings.set(place, offering)
      state.changedOfferings.set(place, offering)
    }
  }
  if (customerChanged) {
    state.customers.set(name(orgId, customer.id), customer)
    state.customersByEmail.set(name(orgId, customer.email), customer)
    state.changedCustomers.set(name(orgId, customer.id), customer)
  }
}

/** A repeat answers as its booking stands now: an order before it in the batch may have changed the guest. */
const recordOf = ({ customers }: State, created: Created): BookingRecord => {
  if (created._tag === "Made") return created
  const { booking, customer } = created.record
  return { ...created.record, customer: customers.get(name(booking.orgId, booking.customerId)) ?? customer }
}
