import type { Booking, HeldBooking } from "@trailbook/core/booking/Booking"
import { type BookingCommand, bookingDecider, type BookingEvent } from "@trailbook/core/booking/BookingDecider"
import * as Decider from "@trailbook/core/Decider"
import { settlePayment } from "@trailbook/core/payment/online/paymentChanges"
import { computeCheckoutExpiry, isPayable, isRefundOwed, type Payment } from "@trailbook/core/payment/Payment"
import { type PaymentCommand, paymentDecider } from "@trailbook/core/payment/PaymentDecider"
import type { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import { openingPayment } from "./payments.ts"
import { Provider } from "./Provider.ts"

/** Guards that a test can disable to show that money is lost without them. */
export interface Guards {
  readonly sweeps: boolean
  readonly returnsSecond: boolean
  readonly usesKeys: boolean
}

export const allGuards: Guards = { sweeps: true, returnsSecond: true, usesKeys: true }

/** The outcome of a provider call: never sent, response lost, or answered. */
export type Way = "crash" | "lost" | "answered"

const base = Instant.make(Date.UTC(2027, 4, 1))

/**
 * Bookings, their payments, and a provider. The deciders determine the stored state. A call changes no stored state if
 * it crashes or its response is lost.
 */
export class MoneyWorld {
  now: Instant.Instant = base
  readonly bookings: Array<Booking> = []
  readonly payments: Array<Payment> = []
  readonly provider: Provider
  /** Bookings that were canceled after their start, so their payments are kept. */
  readonly kept = new Set<string>()
  readonly #guards: Guards
  constructor(guards: Guards) {
    this.#guards = guards
    this.provider = new Provider(guards)
  }

  /** Creates a hold with a payment in one transaction, and then sends the request to the provider. */
  book(startsInMinutes: number, way: Way): void {
    const id = `booking-${this.bookings.length}`
    const booking = hold(id, this.now, startsInMinutes)
    this.bookings.push(booking)
    this.#ask(booking, 1)
    this.order(this.bookings.length - 1, way)
  }

  /**
   * Repeats a booking request. A pending checkout is requested again, and an ended one is replaced. `isOther` means
   * that the provider considers this a different request with the same key, for example after the guest's email address
   * changed.
   */
  order(at: number, way: Way, isOther = false): void {
    const booking = this.bookings[at]
    if (booking?.status !== "held" || booking.expiresAt <= this.now) return
    const attempts = this.payments.filter(({ bookingId }) => bookingId === booking.id)
    const last = attempts.at(-1)
    if (last === undefined || last.status === "open" || last.status === "paid") return
    const payment = last.status === "opening" ? last : this.#ask(booking, attempts.length + 1)
    if (way === "crash") return
    const session = this.provider.checkout(payment, this.now, isOther)
    if (way === "lost") return
    this.#store(
      payment.id,
      session === null
        ? { _tag: "Abandon" }
        : { _tag: "Opened", session: session.id, url: `https://pay.example/${session.id}` }
    )
  }

  /**
   * Pays as the guest in any of the provider's sessions, even one that is not stored. The notification can be lost or
   * duplicated.
   */
  pay(at: number, notices: number, placeIsFree: boolean): void {
    const session = this.provider.sessions[at]
    if (session === undefined || !this.provider.pay(session, this.now)) return
    for (let n = 0; n < notices; n++) this.settle(session.payment, session.intent, placeIsFree)
  }

  settle(id: string, intent: string | null, placeIsFree: boolean): void {
    const payment = this.payments.find((one) => one.id === id)
    const booking = this.bookings.find((one) => one.id === payment?.bookingId)
    if (payment === undefined || booking === undefined || intent === null) return
    const isSecond = booking.paymentIntentId !== null && booking.paymentIntentId !== intent
    if (isSecond && !this.#guards.returnsSecond) return
    const settlement = settlePayment(booking, payment, { now: this.now, intent, placeIsFree })
    this.bookings[this.bookings.indexOf(booking)] = settlement.booking.state
    this.payments[this.payments.indexOf(payment)] = settlement.payment.state
  }

  change(
    at: number,
    command: Extract<BookingCommand, { readonly _tag: "Confirm" | "Move" | "Cancel" }>
  ) {
    const before = this.bookings[at]
    if (before === undefined) return
    const decision: Either.Either<Decider.Decision<Booking, BookingEvent>, Refusal> = Decider.run(bookingDecider)(
      before,
      command
    )
    if (Either.isLeft(decision) || decision.right.events.length === 0) return
    const { events, state } = decision.right
    this.bookings[at] = state
    const isReturned = events.some((event) => event._tag === "booking.cancelled" && event.refundCents !== null)
    // Implements the rule a second time: a booking that has started stays paid unless the outfitter cancels it.
    const isOver = command._tag === "Cancel" && command.refund !== "all" && before.startsAt <= this.now
    if (isOver && before.paymentIntentId !== null) this.kept.add(state.id)
    if (!isReturned) return
    const payment = this.payments.find((one) => one.status === "paid" && one.intent === state.paymentIntentId)
    if (payment !== undefined) {
      this.#store(payment.id, { _tag: "Return", now: this.now, cents: payment.cents, reason: "cancellation", count: 0 })
    }
  }

  /** Runs due tasks, which close the checkouts of holds that expired or ended and issue any refunds that are owed. */
  work(way: Way): void {
    for (const payment of this.payments.slice()) {
      const booking = this.bookings.find(({ id }) => id === payment.bookingId)
      const isOver = booking?.status !== "held" || booking.expiresAt <= this.now
      if (isPayable(payment) && isOver && way !== "crash") this.#close(payment, way)
      if (payment.status !== "paid" || way === "crash") continue
      for (const { id } of payment.refunds.filter(isRefundOwed)) {
        this.provider.refund(payment.intent)
        if (way !== "lost") {
          this.#store(payment.id, { _tag: "Returned", now: this.now, id, providerId: `re_${payment.intent}` })
        }
      }
    }
  }

  #close(payment: Payment, way: Way): void {
    const session = payment.session === null ? undefined : this.provider.close(payment.session)
    if (way === "lost") return
    if (session?.intent === null || session === undefined) this.#store(payment.id, { _tag: "Expire" })
    else this.settle(payment.id, session.intent, false)
  }

  /** Recovers every lost response and runs all tasks. */
  finish(): void {
    this.now = Instant.addMinutes(this.now, 3 * 24 * 60)
    if (this.#guards.sweeps) {
      for (const { intent, payment } of this.provider.sessions) this.settle(payment, intent, false)
    }
    this.work("answered")
    this.work("answered")
  }

  #ask(booking: Booking, attempt: number): Payment {
    if (booking.status !== "held") throw new Error("Only a hold is paid for.")
    const payment = openingPayment({
      id: `${booking.id}/${attempt}`,
      bookingId: booking.id,
      attempt,
      cents: booking.totalCents,
      madeAt: this.now,
      expiresAt: computeCheckoutExpiry(booking.expiresAt, this.now)
    })
    this.payments.push(payment)
    return payment
  }

  #store(id: string, command: PaymentCommand): void {
    const at = this.payments.findIndex((payment) => payment.id === id)
    const before = this.payments[at]
    if (before !== undefined) this.payments[at] = Either.getOrThrow(Decider.run(paymentDecider)(before, command)).state
  }
}

const hold = (id: string, now: Instant.Instant, startsInMinutes: number): HeldBooking => ({
  id,
  orgId: "org-1",
  offeringId: "offering-1",
  customerId: "customer-1",
  sessionId: null,
  startsAt: Instant.addMinutes(now, startsInMinutes),
  endsAt: Instant.addMinutes(now, startsInMinutes + 60),
  periodMinutes: 60,
  periods: 1,
  quantity: 1,
  totalCents: 17_000 + id.length,
  currency: "usd",
  deskCents: 0,
  keepCents: null,
  price: null,
  cancellationPolicy: null,
  onlineCents: null,
  staffNotes: "",
  reference: "7KQ2MXPD",
  handle: "q3V9wT1mZbXc7RkLp0sNdA",
  checkInToken: "Zr7o0jV5xkQyT1sWcLm9Ag",
  source: "api",
  notes: "",
  metadata: {},
  createdAt: now,
  confirmedAt: null,
  updatedAt: now,
  paidAt: null,
  paymentIntentId: null,
  refund: null,
  dispute: null,
  attendance: null,
  tapsFrom: now,
  previous: null,
  unproven: null,
  resentAt: null,
  contact: null,
  idempotency: { key: id, fingerprint: "" },
  status: "held",
  expiresAt: Instant.addMinutes(now, 30),
  paymentDue: true,
  checkoutUrl: null
})
