/**
 * Implements the services on a world. They read the state, decide with core's pure functions, and write the result
 * back.
 */
import { applyPayments } from "@trailbook/core/booking/balance"
import { type Booking, isLive, type Place } from "@trailbook/core/booking/Booking"
import { type BookingCommand, bookingDecider, type BookingEvent } from "@trailbook/core/booking/BookingDecider"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import { cancelAllBookings } from "@trailbook/core/booking/cancellation/storeCancellations"
import {
  checkCapacity,
  type PlaceFacts,
  type RequestedPlace,
  resolvePlace,
  toOverlapQuery,
  updateLongestBooking
} from "@trailbook/core/booking/checkPlace"
import type { CreateBookingRequest } from "@trailbook/core/booking/createBooking"
import { buildEventsAndTasks, makeBookingTask } from "@trailbook/core/booking/eventsAndTasks"
import type { BookingRequest, GeneratedIds, RequestWithIds } from "@trailbook/core/booking/write/BookingRequest"
import { decideBatch } from "@trailbook/core/booking/write/decideBatch"
import { advancePlaceClock, getDecisionTime } from "@trailbook/core/capacity/claims"
import { type CustomerCommand, customerDecider } from "@trailbook/core/customer/Customer"
import { makeCustomerEvent } from "@trailbook/core/customer/Customers"
import * as Decider from "@trailbook/core/Decider"
import { computeSlotEnd } from "@trailbook/core/offering/listSlots"
import type { Offering } from "@trailbook/core/offering/Offering"
import { type OfferingCommand, offeringDecider } from "@trailbook/core/offering/OfferingDecider"
import { makeOfferingEvent } from "@trailbook/core/offering/Offerings"
import {
  decidePaymentsOnCancel,
  expireOpenPayments,
  makePaymentTasks,
  matchPayment,
  settlePayment
} from "@trailbook/core/payment/online/paymentChanges"
import { type Refusal, refuse } from "@trailbook/core/Refusal"
import { type Session, sessionDecider } from "@trailbook/core/session/Session"
import { makeSessionEvent } from "@trailbook/core/session/Sessions"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import { countSeats, factsFor, findOverlaps, getRow, paymentsOf, place, put, recordOf, type World } from "./World.ts"

export type Answer = Either.Either<BookingRecord, Refusal>

/** Derives IDs from a counter, so that a world is deterministic. */
const uuid = (kind: number, n: number): string =>
  `${kind.toString(16).padStart(8, "0")}-0000-7000-8000-${n.toString(16).padStart(12, "0")}`

const idsOf = (n: number): GeneratedIds => ({
  bookingId: uuid(1, n),
  customerId: uuid(2, n),
  reference: n.toString(32).toUpperCase().padStart(8, "0"),
  handle: `handle-${n}`,
  checkInToken: `token-${n}`,
  paymentId: uuid(6, n),
  taskIds: taskIdsOf(n)
})

const taskIdsOf = (n: number) => [3, 4, 9, 10].map((kind) => uuid(kind, n))

/** Returns a booking request with the org's payment setting. */
const withPaymentSetting = (world: World, order: CreateBookingRequest): CreateBookingRequest => ({
  ...order,
  connected: place(world, order.orgId).payments ? { provider: "till", connection: null } : null
})

/** Decides a batch. `draws` contains the number that each request's IDs are derived from. */
export const decide = (
  world: World,
  requests: ReadonlyArray<BookingRequest>,
  draws: ReadonlyArray<number> = requests.map((_, at) => world.drawn + at)
) => {
  const requestsWithIds = requests.map((request, at): RequestWithIds => ({
    ..."create" in request ? { create: withPaymentSetting(world, request.create) } : request,
    ids: idsOf(draws[at] ?? 0)
  }))
  const decision = decideBatch(requestsWithIds, factsFor(world, requestsWithIds))
  const after: World = {
    ...world,
    drawn: world.drawn + requests.length,
    offerings: put(world.offerings, decision.offerings),
    sessions: put(world.sessions, decision.sessions),
    customers: put(world.customers, decision.customers),
    bookings: put(world.bookings, [...decision.created, ...decision.updated]),
    payments: put(world.payments, decision.payments),
    events: [...world.events, ...decision.events],
    tasks: [...world.tasks, ...decision.tasks]
  }
  return { world: after, answers: decision.results, decided: decision }
}

export const sell = (world: World, orders: ReadonlyArray<CreateBookingRequest>) => {
  const { answers, decided: sold, world: after } = decide(world, orders.map((create) => ({ create })))
  const refusals = answers.map((answer): Answer =>
    Either.mapLeft(answer, (left) => {
      if (left._tag !== "Refusal") throw new Error(`An order that nothing came between was not decided: ${left._tag}.`)
      return left
    })
  )
  return { world: after, answers: refusals, sold }
}

/** The target of a move: a session or a start time. */
export type Destination = { readonly session: Session } | { readonly startsAt: Instant.Instant }

export type Wish =
  | { readonly _tag: "Confirm" }
  | { readonly _tag: "Prove" }
  | { readonly _tag: "Pay"; readonly paymentIntentId: string }
  | { readonly _tag: "Move"; readonly to: Destination }
  | { readonly _tag: "Cancel" }
  | { readonly _tag: "Restore" }

export interface ChangeResult {
  readonly world: World
  readonly answer: Answer
  readonly events: ReadonlyArray<BookingEvent>
}

export const change = (world: World, booking: Booking, wish: Wish): ChangeResult => {
  const offering = offeringOf(world, booking)
  const places = [booking.sessionId, wish._tag === "Move" && "session" in wish.to ? wish.to.session.id : null]
    .flatMap((id) => id === null ? [] : [getRow(world.sessions, booking.orgId, id)])
  const now = getDecisionTime(world.now, offering, ...places)
  const facts: PlaceFacts = { ...place(world, booking.orgId), now, offering }
  switch (wish._tag) {
    case "Confirm":
    case "Prove":
    case "Pay": {
      if (booking.status !== "held" || isLive(booking, now)) {
        return settle(world, booking, { ...wish, now, placeIsFree: true })
      }
      const { answer, passed } = askWithout(world, facts, booking, booking)
      return remember(passed, settle(world, booking, { ...wish, now, placeIsFree: Either.isRight(answer) }))
    }
    case "Cancel":
      return settle(world, booking, { _tag: "Cancel", now: world.now })
    case "Restore": {
      if (recordOf(world, booking).customer.email === "") {
        return {
          world: { ...world, drawn: world.drawn + 1 },
          answer: Either.left(refuse("customer_erased")),
          events: []
        }
      }
      const [session] = places
      const target: RequestedPlace = session === undefined
        ? { startsAt: booking.startsAt, length: booking }
        : { session }
      const { answer, passed } = askWithout(world, facts, booking, booking)
      const checkedTarget = Either.flatMap(resolvePlace(facts, target), () => answer)
      return remember(passed, settle(world, booking, { _tag: "Restore", now, target: checkedTarget }))
    }
    case "Move": {
      const target: RequestedPlace = "session" in wish.to ? wish.to : { startsAt: wish.to.startsAt, length: booking }
      const to = placeOf(facts, target)
      const { answer, passed } = askWithout(world, facts, booking, to)
      const checkedTarget = Either.flatMap(resolvePlace(facts, target), () => answer)
      return remember(passed, settle(world, booking, { _tag: "Move", now, to, target: checkedTarget }))
    }
  }
}

const offeringOf = (world: World, { offeringId, orgId }: Booking): Offering =>
  getRow(world.offerings, orgId, offeringId)

/**
 * Returns whether the booking fits the place, and the place itself, with its clock advanced past the expired holds that
 * were ignored.
 */
const askWithout = (world: World, { now, offering }: PlaceFacts, { id, orgId, quantity }: Booking, place: Place) => {
  if (place.sessionId === null) {
    const { lapsedAt, bookedSpans } = findOverlaps(world, toOverlapQuery(offering, place, now, id))
    const passed = { offerings: [advancePlaceClock(updateLongestBooking(offering, place), lapsedAt)] }
    return { answer: checkCapacity(offering, place, quantity, { bookedSpans }), passed }
  }
  const session = getRow(world.sessions, orgId, place.sessionId)
  const { booked: seats, lapsedAt } = countSeats(world, session, now, id)
  const passed = { sessions: [advancePlaceClock(session, lapsedAt)] }
  return { answer: checkCapacity(offering, place, quantity, { session, booked: seats }), passed }
}

/** A refusal or no-op changes nothing and is not recorded. */
const remember = (
  { offerings = [], sessions = [] }: Partial<Pick<World, "offerings" | "sessions">>,
  { world, ...result }: ChangeResult
): ChangeResult => ({
  ...result,
  world: result.events.length === 0
    ? world
    : { ...world, offerings: put(world.offerings, offerings), sessions: put(world.sessions, sessions) }
})

const placeOf = ({ offering, zone }: PlaceFacts, target: RequestedPlace): Place => {
  if ("session" in target) {
    const { endsAt, id, startsAt } = target.session
    return { startsAt, endsAt, sessionId: id }
  }
  const { length, startsAt } = target
  return { startsAt, endsAt: computeSlotEnd(offering.kind, zone, startsAt, length), sessionId: null }
}

const settle = (
  before: World,
  booking: Booking,
  command: Exclude<BookingCommand, { _tag: "Create" }>
): ChangeResult => {
  if (command._tag === "Pay") return pay(before, booking, command)
  const decision = Decider.run(bookingDecider)(booking, command)
  const world = { ...before, drawn: before.drawn + 1 }
  if (Either.isLeft(decision)) return { world, answer: Either.left(decision.left), events: [] }
  const { events, state } = decision.right
  if (events.length === 0) return { world, answer: Either.right(recordOf(world, booking)), events }
  const payments = paymentsOf(world, booking)
  const changes = command._tag === "Confirm"
    ? expireOpenPayments(payments)
    : decidePaymentsOnCancel(events, payments, command.now)
  const settledBooking = applyPayments(state, payments, changes.map(({ state }) => state))
  const after = recordOf(world, settledBooking)
  const ids = [...taskIdsOf(before.drawn)]
  const newId = () => ids.shift() ?? "none"
  const effects = buildEventsAndTasks({ before: booking, after, events, now: command.now, newId })
  return {
    answer: Either.right(after),
    events,
    world: {
      ...world,
      bookings: put(world.bookings, [settledBooking]),
      payments: put(world.payments, changes.map(({ state }) => state)),
      events: [...world.events, ...effects.events],
      tasks: [
        ...world.tasks,
        ...effects.tasks,
        ...changes.flatMap((one) => makePaymentTasks(one.state, one.events, { now: command.now, newId }))
      ]
    }
  }
}

/** Records an incoming payment, which either pays for its booking or is refunded as surplus. */
const pay = (before: World, booking: Booking, command: Extract<BookingCommand, { _tag: "Pay" }>): ChangeResult => {
  const { now, paymentIntentId: intent, placeIsFree } = command
  const creation = { id: uuid(6, before.drawn), now }
  const payment = matchPayment(
    recordOf(before, booking),
    paymentsOf(before, booking),
    { intent, paymentId: undefined },
    creation
  )
  const settlement = settlePayment(booking, payment, { now, intent, placeIsFree })
  const { events } = settlement.booking
  const state = events.length === 0
    ? settlement.booking.state
    : applyPayments(settlement.booking.state, paymentsOf(before, booking), [settlement.payment.state])
  const world = { ...before, drawn: before.drawn + 1 }
  const after = recordOf(world, state)
  if (settlement.payment.events.length === 0) return { world, answer: Either.right(after), events }
  const ids = [...taskIdsOf(before.drawn)]
  const newId = () => ids.shift() ?? "none"
  const effects = buildEventsAndTasks({ before: booking, after, events, now, newId })
  const twice = events.length === 0 ? [makeBookingTask(state, "mail.returned", newId(), now)] : []
  return {
    answer: Either.right(after),
    events,
    world: {
      ...world,
      bookings: put(world.bookings, [state]),
      payments: put(world.payments, [settlement.payment.state]),
      events: [...world.events, ...effects.events],
      tasks: [
        ...world.tasks,
        ...effects.tasks,
        ...twice,
        ...makePaymentTasks(settlement.payment.state, settlement.payment.events, { now, newId })
      ]
    }
  }
}

/** Cancels holds one day after their expiry. */
export const sweep = (world: World): World =>
  world.bookings.reduce(
    (world, booking) =>
      booking.status === "held" && booking.expiresAt <= Instant.addMinutes(world.now, -1440)
        ? settle(world, booking, { _tag: "Cancel", now: world.now }).world
        : world,
    world
  )

export const changeOffering = (world: World, offering: Offering, command: OfferingCommand): World => {
  const { events, state } = Either.getOrThrow(Decider.run(offeringDecider)(offering, command))
  return {
    ...world,
    offerings: put(world.offerings, [state]),
    events: [...world.events, ...events.map(({ _tag }) => makeOfferingEvent(state, _tag, world.now))]
  }
}

export const changeCustomer = (
  world: World,
  { id, orgId }: { id: string; orgId: string },
  command: CustomerCommand
) => {
  const { events, state } = Either.getOrThrow(
    Decider.run(customerDecider)(getRow(world.customers, orgId, id), command)
  )
  return {
    ...world,
    customers: put(world.customers, [state]),
    events: [...world.events, ...events.map(({ _tag }) => makeCustomerEvent(state, _tag, world.now))]
  }
}

/** Cancels a session and all of its bookings on behalf of the outfitter. */
export const cancelSession = (world: World, session: Session): World => {
  const { events, state } = Either.getOrThrow(Decider.run(sessionDecider)(session, { _tag: "Cancel" }))
  const records = world.bookings.filter(({ orgId, sessionId, status }) =>
    orgId === session.orgId && sessionId === session.id && status !== "cancelled"
  ).map((booking) => recordOf(world, booking))
  let drawn = world.drawn
  const payments = records.flatMap(({ booking }) => paymentsOf(world, booking))
  const cancellation = cancelAllBookings(records, payments, world.now, () => uuid(3, drawn++))
  return {
    ...world,
    drawn,
    sessions: put(world.sessions, [state]),
    bookings: put(world.bookings, cancellation.bookings),
    payments: put(world.payments, cancellation.payments),
    events: [
      ...world.events,
      ...events.map(({ _tag }) => makeSessionEvent(state, _tag, world.now)),
      ...cancellation.events
    ],
    tasks: [...world.tasks, ...cancellation.tasks]
  }
}
