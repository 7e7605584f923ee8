import * as Either from "effect/Either"
import { decisionTime } from "../../capacity/placeClock.ts"
import { customerEvent } from "../../customer/Customers.ts"
import * as Decider from "../../Decider.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Org } from "../../org/Org.ts"
import { makePaymentRequest } from "../../payment/online/makePaymentRequest.ts"
import { checkoutTasks } from "../../payment/online/paymentTasks.ts"
import type { Opening } from "../../payment/Payment.ts"
import type { Instant } from "../../time/Instant.ts"
import { bookingDecider } from "../BookingDecider.ts"
import type { BookingRecord } from "../BookingView.ts"
import type { PlaceUsage } from "../checkPlace.ts"
import {
  type CreateBooking,
  createBooking,
  type CreateRefusal,
  type PaymentStatusRequired,
  type Visitor
} from "../createBooking.ts"
import { type EventsAndTasks, eventsAndTasksFor } from "../eventsAndTasks.ts"
import { networkSince, type UnprovenFacts } from "../unprovenLimits.ts"
import * as State from "./BatchState.ts"
import type { RequestWithIds } from "./BookingRequest.ts"
import { occupancyQueryFor, type OccupancyResult, usageFor } from "./occupancyQuery.ts"
import { requireGeneratedId } from "./requireGeneratedId.ts"
import { StaleRead } from "./StaleRead.ts"

/**
 * Decides a create, given the changes of earlier requests, and adds its own changes to the state. Its events and tasks
 * are appended to `told`.
 */
export const decideCreate = (
  state: State.BatchState,
  request: Extract<RequestWithIds, { readonly draw: unknown }>,
  answered: OccupancyResult | undefined,
  told: Array<EventsAndTasks>
): Either.Either<BookingRecord, CreateRefusal | PaymentStatusRequired | StaleRead> => {
  const { draw, order: { contact, customerId, offeringId, orgId, sessionId }, order } = request
  const named = (id: string): string => State.rowKey({ orgId, id })
  const org = state.orgs.get(orgId)
  if (org === undefined) throw new Error("An order came without its org.")
  const offering = state.offerings.get(named(offeringId))
  const session = sessionId === undefined ? undefined : state.sessions.get(named(sessionId))
  const place = session ?? offering
  const now = place === undefined ? state.now : decisionTime(state.now, place)

  const question = occupancyQueryFor(state, request)
  const use: PlaceUsage | undefined = question === undefined ? { taken: [] } : usageFor(state, question, answered)
  if (use === undefined) return Either.left(new StaleRead())
  const sameKey = state.sameKeys.get(State.idempotencyRowKey(order))
  const customer = customerId === undefined
    ? state.customersByEmail.get(named(contact?.email ?? ""))
    : state.customers.get(named(customerId))
  const unproven = order.visitor === undefined
    ? undefined
    : unprovenFacts(state, order.visitor, { orgId, id: sessionId ?? offeringId }, now)
  return Either.map(
    createBooking(order, draw, {
      ...org,
      now,
      offering,
      session,
      use,
      customer,
      unproven,
      sameKey: sameKey && State.withPendingChanges(state, sameKey)
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
      State.recordPlaceUse(state, { orgId, id: offeringId }, booking, answered?.lapsedAt ?? null)
      state.sameKeys.set(State.idempotencyRowKey(booking), record)
      const payment = paymentOf(record, order, org.org, draw.payment.id, now)
      const taskIds = [...draw.payment.taskIds]
      if (payment !== undefined) State.putPayment(state, payment)
      const { events } = Either.getOrThrow(Decider.run(bookingDecider)(booking, { _tag: "Place" }))
      told.push(eventsAndTasksFor({ before: null, after: record, events, now, newId: () => draw.taskId }))
      if (payment !== undefined && booking.status === "held") {
        told.push({
          events: [],
          tasks: checkoutTasks(payment, booking.expiresAt, () => requireGeneratedId(taskIds.shift()))
        })
      }
      return record
    }
  )
}

const unprovenFacts = (state: State.BatchState, { network }: Visitor, place: OrgKey, now: Instant): UnprovenFacts => {
  const live = State.unprovenNow(state, now).filter(({ orgId }) => orgId === place.orgId)
  return {
    ofNetwork: live.filter(({ createdAt, unproven }) =>
      network !== null && unproven?.network === network && createdAt > networkSince(now)
    ),
    atPlace: live.filter((booking) => State.isAt(booking, place))
  }
}

/**
 * The payment to request from the provider. It is stored with the booking, and the provider is called after the commit.
 */
const paymentOf = (
  record: BookingRecord,
  { connected }: CreateBooking,
  org: Org,
  id: string,
  now: Instant
): Opening | undefined => {
  const { booking } = record
  if (booking.status !== "held" || !booking.paymentDue || connected === undefined || connected === null) {
    return undefined
  }
  return {
    ...makePaymentRequest(record, org, { ...connected, id, attempt: 1, now }),
    status: "opening",
    session: null,
    mismatch: null
  }
}
