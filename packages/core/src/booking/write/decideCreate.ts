import * as Either from "effect/Either"
import { getDecisionTime } from "../../capacity/claims.ts"
import * as Customer from "../../customer/Customer.ts"
import { makeCustomerEvent } from "../../customer/Customers.ts"
import { isEmailProven } from "../../customer/EmailProof.ts"
import * as Decider from "../../Decider.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { makeCheckoutTasks, makePaymentRequest } from "../../payment/online/paymentChanges.ts"
import { makeIdempotencyConflict } from "../../port/idempotency.ts"
import { notFound, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import { bookingDecider } from "../BookingDecider.ts"
import type { BookingRecord } from "../BookingView.ts"
import type {
  BookingVisitor,
  CreateBookingRefusal,
  CreateBookingRequest,
  PaymentStatusRequired
} from "../createBooking.ts"
import { buildEventsAndTasks } from "../eventsAndTasks.ts"
import { type CountedUnprovenBookings, getNetworkLimitStart } from "../unprovenBookingLimits.ts"
import * as State from "./BatchState.ts"
import { makeIdSupplier, type RequestWithIds, StaleRead } from "./BookingRequest.ts"
import { computePlaceUsage, type PlaceOccupancy } from "./occupancy.ts"

/**
 * Decides a create based on the changes from earlier requests, and adds its own changes to the state. If the
 * idempotency key is repeated, returns the earlier booking before any other check.
 */
export const decideCreate = (
  state: State.BatchState,
  { create, ids }: Extract<RequestWithIds, { readonly create: unknown }>,
  occupancy: PlaceOccupancy | undefined
): Either.Either<BookingRecord, CreateBookingRefusal | PaymentStatusRequired | StaleRead> => {
  const existingRecord = state.existingByKey.get(State.toIdempotencyRowKey(create))
  if (existingRecord !== undefined) {
    return existingRecord.booking.idempotency.fingerprint === create.idempotency.fingerprint
      ? Either.right(State.applyPendingChanges(state, existingRecord))
      : Either.left(makeIdempotencyConflict())
  }
  const { offeringId, orgId, sessionId, visitor } = create
  const rowKeyOf = (id: string): string => State.toRowKey({ orgId, id })
  const orgFacts = state.orgs.get(orgId)
  if (orgFacts === undefined) throw new Error("Invariant violated: org not loaded")
  const offering = state.offerings.get(rowKeyOf(offeringId))
  const session = sessionId === undefined ? undefined : state.sessions.get(rowKeyOf(sessionId))
  const place = session ?? offering
  const now = place === undefined ? state.now : getDecisionTime(state.now, place)
  const use = occupancy && computePlaceUsage(state, occupancy, occupancy.query.place, now)
  if (occupancy !== undefined && use === undefined) return Either.left(new StaleRead())

  const customerResult = resolveCustomer(state, create, ids.customerId, now)
  const facts = {
    org: orgFacts.org,
    zone: orgFacts.zone,
    closures: state.closures,
    now,
    offering,
    session,
    use,
    customer: Either.map(customerResult, ({ customer }) => customer),
    discount: State.findDiscountCodeUsage(state, orgId, create.discountCode),
    unproven:
      visitor === undefined || (Either.isRight(customerResult) && isEmailProven(customerResult.right.customer, now))
        ? undefined
        : collectUnprovenFacts(state, visitor, { orgId, id: sessionId ?? offeringId }, now)
  }
  return Either.map(
    Decider.create(bookingDecider)({ _tag: "Create", request: create, ids, facts }),
    ({ events, state: booking }) => {
      const { customer, isChanged } = Either.getOrThrow(customerResult)
      if (isChanged) {
        State.putCustomer(state, customer)
        state.effects.push({ events: [makeCustomerEvent(customer, "customer.updated", now)], tasks: [] })
      }
      State.putBooking(state, null, booking)
      const record = { booking, customer, offering: State.recordPlaceUse(state, booking, booking, occupancy) }
      state.existingByKey.set(State.toIdempotencyRowKey(booking), record)

      const newId = makeIdSupplier(ids.taskIds)
      state.effects.push(buildEventsAndTasks({ before: null, after: record, events, now, newId }))
      const { connected } = create
      if (booking.status === "held" && booking.paymentDue && connected !== undefined && connected !== null) {
        // Store the payment with the booking. The provider is called after the commit.
        const request = makePaymentRequest(record, { ...connected, id: ids.paymentId, attempt: 1, now })
        const payment = { ...request, status: "opening" as const, session: null, mismatch: null }
        State.putPayment(state, payment)
        state.effects.push({ events: [], tasks: makeCheckoutTasks(payment, booking.expiresAt, newId) })
      }
      return record
    }
  )
}

/**
 * Returns the customer with this ID, or finds or creates the customer with this email address. A guest without an email
 * address is always a new customer. Nonempty contact details overwrite an existing customer's fields. A visitor is not
 * authenticated, so their contact details fill only empty fields.
 */
const resolveCustomer = (
  { customers, customersByEmail }: State.BatchState,
  { contact, customerId, orgId, visitor }: CreateBookingRequest,
  newId: string,
  now: Instant
): Either.Either<{ readonly customer: Customer.Customer; readonly isChanged: boolean }, CreateBookingRefusal> => {
  if (customerId !== undefined) {
    const customer = customers.get(State.toRowKey({ orgId, id: customerId }))
    if (customer === undefined) return Either.left(notFound("customer", customerId))
    return customer.erasedAt === null
      ? Either.right({ customer, isChanged: false })
      : Either.left(refuse("customer_erased"))
  }
  if (contact === undefined) throw new Error("Invariant violated: order without a guest")
  const email = contact.email || Customer.makePlaceholderEmail(newId)
  const customer = customersByEmail.get(State.toRowKey({ orgId, id: email }))
  const canFill = (field: "name" | "phone") => visitor === undefined || (customer?.[field] ?? "") === ""
  const patch: { name?: string; phone?: string } = {}
  for (const field of ["name", "phone"] as const) {
    const value = contact[field]
    if (value !== undefined && value !== "" && canFill(field)) patch[field] = value
  }
  if (customer === undefined) {
    const newCustomer = Customer.make({ id: newId, orgId, email, createdAt: now, ...patch })
    return Either.right({ customer: newCustomer, isChanged: true })
  }
  return Either.map(
    Decider.run(Customer.customerDecider)(customer, { _tag: "Edit", patch }),
    ({ events, state }) => ({ customer: state, isChanged: events.length > 0 })
  )
}

const collectUnprovenFacts = (
  state: State.BatchState,
  { network }: BookingVisitor,
  place: OrgKey,
  now: Instant
): CountedUnprovenBookings => {
  const liveBookings = State.listLiveUnprovenBookings(state, now).filter(({ orgId }) => orgId === place.orgId)
  return {
    ofNetwork: liveBookings.filter(({ createdAt, unproven }) =>
      network !== null && unproven?.network === network && createdAt > getNetworkLimitStart(now)
    ),
    atPlace: liveBookings.filter((booking) => State.occupiesPlace(booking, place))
  }
}
