import * as Either from "effect/Either"
import { notBefore } from "../capacity/judged.ts"
import { customerEvent } from "../customer/Customers.ts"
import * as Decider from "../Decider.ts"
import type { Key } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import type { Opening } from "../payment/Payment.ts"
import type { Instant } from "../time/Instant.ts"
import { announce, type Announced } from "./announce.ts"
import { askedOf } from "./askedOf.ts"
import * as State from "./BatchState.ts"
import { bookingDecider } from "./BookingDecider.ts"
import type { BookingRecord } from "./BookingView.ts"
import { ChangedMeanwhile } from "./ChangedMeanwhile.ts"
import { create, type CreateRefusal, type Order, type PaymentsUnasked, type Visitor } from "./create.ts"
import { drawn } from "./drawn.ts"
import { checkoutTasks } from "./paymentTasks.ts"
import { type Answered, questionOf, useOf } from "./question.ts"
import type { Drawn } from "./Request.ts"
import type { Use } from "./target.ts"
import { networkSince, type UnprovenFacts } from "./unprovenLimits.ts"

/**
 * Decides an order over what the requests before it have left, and leaves what it
 * makes to those behind it. `told` gains what is to be told.
 *
 * @category deciding
 */
export const decideOrder = (
  state: State.BatchState,
  request: Extract<Drawn, { readonly draw: unknown }>,
  answered: Answered | undefined,
  told: Array<Announced>
): Either.Either<BookingRecord, CreateRefusal | PaymentsUnasked | ChangedMeanwhile> => {
  const { draw, order: { contact, customerId, offeringId, orgId, sessionId }, order } = request
  const named = (id: string): string => State.nameOf({ orgId, id })
  const org = state.orgs.get(orgId)
  if (org === undefined) throw new Error("An order came without its org.")
  const offering = state.offerings.get(named(offeringId))
  const session = sessionId === undefined ? undefined : state.sessions.get(named(sessionId))
  const place = session ?? offering
  const now = place === undefined ? state.now : notBefore(state.now, place)

  const question = questionOf(state, request)
  const use: Use | undefined = question === undefined ? { taken: [] } : useOf(state, question, answered)
  if (use === undefined) return Either.left(new ChangedMeanwhile())
  const sameKey = state.sameKeys.get(State.byIdempotencyKey(order))
  const customer = customerId === undefined
    ? state.customersByEmail.get(named(contact?.email ?? ""))
    : state.customers.get(named(customerId))
  const unproven = order.visitor === undefined
    ? undefined
    : unprovenFacts(state, order.visitor, { orgId, id: sessionId ?? offeringId }, now)
  return Either.map(
    create(order, draw, {
      ...org,
      now,
      offering,
      session,
      use,
      customer,
      unproven,
      sameKey: sameKey && State.current(state, sameKey)
    }),
    (created) => {
      if (created._tag === "Repeated") return created.record
      const { booking, customerChanged } = created
      const record: BookingRecord = { booking, customer: created.customer, offering: created.offering }
      if (customerChanged) {
        State.putCustomer(state, created.customer)
        told.push({ events: [customerEvent(created.customer, "customer.updated", now)], tasks: [] })
      }
      State.putBooking(state, null, booking)
      State.putPlace(state, { orgId, id: offeringId }, booking, answered?.lapsedAt ?? null)
      state.sameKeys.set(State.byIdempotencyKey(booking), record)
      const payment = paymentOf(record, order, org.org, draw.payment.id, now)
      const taskIds = [...draw.payment.taskIds]
      if (payment !== undefined) State.putPayment(state, payment)
      const { events } = Either.getOrThrow(Decider.run(bookingDecider)(booking, { _tag: "Place" }))
      told.push(announce({ before: null, after: record, events, now, newId: () => draw.taskId }))
      if (payment !== undefined && booking.status === "held") {
        told.push({ events: [], tasks: checkoutTasks(payment, booking.expiresAt, () => drawn(taskIds.shift())) })
      }
      return record
    }
  )
}

const unprovenFacts = (state: State.BatchState, { network }: Visitor, place: Key, now: Instant): UnprovenFacts => {
  const live = State.unprovenNow(state, now).filter(({ orgId }) => orgId === place.orgId)
  return {
    ofNetwork: live.filter(({ createdAt, unproven }) =>
      network !== null && unproven?.network === network && createdAt > networkSince(now)
    ),
    atPlace: live.filter((booking) => State.isAt(booking, place))
  }
}

/** What is asked of the provider, stored with the booking: it is asked once that is committed. */
const paymentOf = (
  record: BookingRecord,
  { connected }: Order,
  org: Org,
  id: string,
  now: Instant
): Opening | undefined => {
  const { booking } = record
  if (booking.status !== "held" || !booking.paymentDue || connected === undefined || connected === null) {
    return undefined
  }
  return {
    ...askedOf(record, org, { ...connected, id, attempt: 1, now }),
    status: "opening",
    session: null,
    mismatch: null
  }
}
