/**
 * Making a booking. Pure: one order and the
 * facts go in; the booking, its guest and what is to be told come out, or a
 * refusal. Nothing here knows whether it runs alone or in a batch of
 * sixty-four.
 *
 * In this order: the same key answers the same booking; the offering exists and
 * the request fits its kind; the place is offered; there is room; the guest is
 * known or new.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type { Source } from "../actor/Actor.ts"
import * as Customer from "../customer/Customer.ts"
import { customerDecider, customerErased } from "../customer/CustomerDecider.ts"
import * as Decider from "../Decider.ts"
import { totalPrice } from "../money/totalPrice.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Org } from "../org/Org.ts"
import type { PaymentAccount } from "../payment/Payment.ts"
import { idempotencyConflict } from "../port/idempotent.ts"
import { invalid, notFound, type Refusal } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import * as Instant from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import type { Language } from "../wire/Language.ts"
import type { Booking, Held } from "./Booking.ts"
import type { BookingRecord } from "./BookingView.ts"
import * as target from "./checkPlace.ts"
import { type UnprovenFacts, withinLimits } from "./unprovenLimits.ts"

/** A visitor who books on the public page. */
export interface Visitor {
  /** A keyed digest of the network of their request; null if the server does not know the address. */
  readonly network: string | null
  readonly language: Language
}

/** What somebody asks to book. */
export interface CreateBooking {
  readonly orgId: string
  readonly source: Source
  readonly offeringId: string
  readonly sessionId: string | undefined
  readonly startsAt: Instant.Instant | undefined
  readonly quantity: number
  readonly periods: number | undefined
  readonly customerId: string | undefined
  readonly contact: Customer.Contact | undefined
  /**
   * A visitor of the public page. The contact they typed fills only blank fields of a known customer, and their unpaid
   * bookings are limited until a guest opens a mailed link.
   */
  readonly visitor?: Visitor | undefined
  readonly notes: string
  readonly holdMinutes: number | undefined
  /** Who takes this org's money online, null where nobody does; undefined while that was not asked. */
  readonly connected?: PaymentAccount | null | undefined
  /** The caller's key, or one made for this order, so that it is never sold twice. */
  readonly idempotency: NonNullable<Booking["idempotency"]>
  /** The key was made for this order: nobody can have booked under it before the order is decided for the first time. */
  readonly isKeyNew?: boolean | undefined
}

/** The chance that a booking needs, drawn before deciding. */
export interface GeneratedIds {
  readonly bookingId: string
  readonly customerId: string
  readonly reference: string
  readonly handle: string
  readonly taskId: string
  /** Of what has to be paid online. */
  readonly payment: { readonly id: string; readonly taskIds: readonly [string, string] }
}

export interface CreateFacts {
  readonly now: Instant.Instant
  readonly org: Org
  readonly zone: Zone
  readonly offering: Offering | undefined
  readonly session: Session | undefined
  /** What its place is measured by; a session that is not there has no seats. */
  readonly use: target.PlaceUsage
  readonly customer: Customer.Customer | undefined
  /** Unproven bookings that count against an order of a visitor. */
  readonly unproven?: UnprovenFacts | undefined
  /** The booking that was made with the same key. */
  readonly sameKey: BookingRecord | undefined
}

/** Either the booking that this key had made already, or a new one. */
export type CreateResult =
  | { readonly _tag: "Repeated"; readonly record: BookingRecord }
  | {
    readonly _tag: "Made"
    readonly booking: Booking
    readonly offering: Offering
    readonly customer: Customer.Customer
    /** Whether the guest is new or changed by this, and so has an event of their own. */
    readonly customerChanged: boolean
  }

/**
 * Money may be due, and whether the org takes it online has to be asked before
 * this can be decided: that is other people's code, which no lock waits for.
 */
export class PaymentStatusRequired extends Data.TaggedError("PaymentStatusRequired")<{}> {}

export type CreateRefusal = target.PlaceRefusal | Refusal<"idempotency_conflict" | "customer_erased" | "rate_limited">

/** How long a hold lasts that waits for online payment or for the guest to open the mailed link. */
const waitingHoldMinutes = 30

export const createBooking = (
  order: CreateBooking,
  draw: GeneratedIds,
  facts: CreateFacts
): Either.Either<CreateResult, CreateRefusal | PaymentStatusRequired> => {
  if (facts.sameKey !== undefined) return repeated(order, facts.sameKey)
  return Either.gen(function*() {
    const { now, offering } = facts
    if (offering === undefined || offering.deletedAt !== null) {
      return yield* Either.left(notFound("offering", order.offeringId))
    }
    const wanted = yield* targetOf(order, offering, facts.session)
    const place = yield* target.resolvePlace({ ...facts, offering }, wanted)
    yield* target.checkCapacity(offering, place, order.quantity, facts.use)
    if (facts.unproven !== undefined) {
      const { quantity } = order
      yield* withinLimits({ now, offering, session: facts.session, place, quantity }, facts.unproven)
    }
    const { changed, customer } = yield* guest(order, draw, facts)

    const length = "length" in wanted ? wanted.length : { periodMinutes: offering.durationMinutes, periods: 1 }
    const totalCents = totalPrice({ ...offering, quantity: order.quantity, periods: length.periods })
    const mayBeDue = order.source !== "dashboard" && facts.org.plan === "pro" && totalCents > 0
    if (mayBeDue && order.connected === undefined) return yield* Either.left(new PaymentStatusRequired())
    const paymentDue = mayBeDue && order.connected !== null
    const { visitor } = order
    const confirmIn = visitor !== undefined && facts.org.confirmEmail && !paymentDue ? visitor.language : null
    const isWaiting = paymentDue || confirmIn !== null
    const holdMinutes = Math.max(order.holdMinutes ?? 0, isWaiting ? waitingHoldMinutes : 0)
    const { bookingId: id, handle, reference } = draw
    const confirmed: Booking = {
      ...place,
      ...length,
      id,
      reference,
      handle,
      status: "confirmed",
      orgId: order.orgId,
      offeringId: offering.id,
      customerId: customer.id,
      quantity: order.quantity,
      totalCents,
      source: order.source,
      notes: order.notes,
      contact: typed(order.contact),
      metadata: {},
      unproven: visitor === undefined ? null : { network: visitor.network, confirmIn },
      createdAt: now,
      paidAt: null,
      paymentIntentId: null,
      refund: null,
      dispute: null,
      previous: null,
      resentAt: null,
      idempotency: order.idempotency
    }
    const booking: Booking = holdMinutes === 0 ? confirmed : {
      ...confirmed,
      status: "held",
      expiresAt: Instant.addMinutes(now, holdMinutes),
      paymentDue,
      checkoutUrl: null
    } satisfies Held
    return {
      _tag: "Made",
      booking,
      customer,
      customerChanged: changed,
      offering: target.withLongestBooking(offering, place)
    } satisfies CreateResult
  })
}

const typed = (contact: Customer.Contact | undefined): Booking["contact"] =>
  contact === undefined ? null : { email: contact.email, name: contact.name ?? "", phone: contact.phone ?? "" }

const repeated = (order: CreateBooking, record: BookingRecord): Either.Either<CreateResult, CreateRefusal> =>
  record.booking.idempotency.fingerprint === order.idempotency.fingerprint
    ? Either.right({ _tag: "Repeated", record })
    : Either.left(idempotencyConflict())

/** What the request asks for, once it fits the offering's kind and bounds. */
const targetOf = (
  order: CreateBooking,
  offering: Offering,
  session: Session | undefined
): Either.Either<target.RequestedPlace, CreateRefusal> => {
  const { periods, quantity, sessionId, startsAt } = order
  if (quantity > offering.maxPerBooking) {
    return Either.left(invalid(`quantity: must be at most ${offering.maxPerBooking}, the most in one booking`))
  }
  if (periods !== undefined && offering.kind !== "rental") return Either.left(invalid("periods: is for rentals only"))
  if (periods !== undefined && periods > offering.maxPeriods) {
    return Either.left(invalid(`periods: must be at most ${offering.maxPeriods} for this rental`))
  }
  if (offering.kind === "class") {
    if (startsAt !== undefined) {
      return Either.left(invalid("starts_at: is for appointments and rentals; a class is booked by session_id"))
    }
    if (sessionId === undefined) return Either.left(invalid("session_id: is required for a class"))
    return session === undefined || session.offeringId !== offering.id
      ? Either.left(notFound("session", sessionId))
      : Either.right({ session })
  }
  if (sessionId !== undefined) return Either.left(invalid("session_id: is for classes only"))
  if (startsAt === undefined) return Either.left(invalid(`starts_at: is required for ${article[offering.kind]}`))
  return Either.right({ startsAt, length: { periodMinutes: offering.durationMinutes, periods: periods ?? 1 } })
}

const article = { appointment: "an appointment", rental: "a rental" }

/**
 * A known guest by id, or one by address: known ones get the fields that say something, new ones are made. Whoever may be
 * anybody changes nothing that is known of somebody.
 */
const guest = (
  { contact, customerId, orgId, visitor }: CreateBooking,
  draw: GeneratedIds,
  { customer, now }: CreateFacts
): Either.Either<{ customer: Customer.Customer; changed: boolean }, CreateRefusal> => {
  if (customerId !== undefined) {
    if (customer === undefined) return Either.left(notFound("customer", customerId))
    return customer.erasedAt === null ? Either.right({ customer, changed: false }) : Either.left(customerErased())
  }
  if (contact === undefined) return Either.left(invalid("customer: give exactly one of customer_id and customer"))
  const mayFill = (field: "name" | "phone") => visitor === undefined || (customer?.[field] ?? "") === ""
  const patch = Object.fromEntries(
    (["name", "phone"] as const).flatMap((field) => {
      const said = contact[field]
      return said === undefined || said === "" || !mayFill(field) ? [] : [[field, said]]
    })
  )
  if (customer === undefined) {
    const made = Customer.make({ id: draw.customerId, orgId, email: contact.email, createdAt: now, ...patch })
    return Either.right({ customer: made, changed: true })
  }
  return Either.map(
    Decider.run(customerDecider)(customer, { _tag: "Edit", patch }),
    ({ events, state }) => ({ customer: state, changed: events.length > 0 })
  )
}
