import type { Booking, Held } from "@trailbook/core/booking/Booking"
import { type BookingCommand, bookingDecider, type BookingEvent } from "@trailbook/core/booking/BookingDecider"
import * as Decider from "@trailbook/core/Decider"
import { settlePayment } from "@trailbook/core/payment/online/settlePayment"
import { checkoutEnd, isPayable, type Payment } from "@trailbook/core/payment/Payment"
import { isOwed, type PaymentCommand, paymentDecider } from "@trailbook/core/payment/PaymentDecider"
import type { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import { opening } from "./payments.ts"
import { Provider } from "./Provider.ts"

/** Guards that can be taken out, to see that something is lost without them. */
export interface Guards {
  readonly sweeps: boolean
  readonly returnsSecond: boolean
  readonly usesKeys: boolean
}

export const allGuards: Guards = { sweeps: true, returnsSecond: true, usesKeys: true }

/** How a call to the provider ends: it never leaves, its answer is lost, or it is answered. */
export type Way = "crash" | "lost" | "answered"

const base = Instant.make(Date.UTC(2027, 4, 1))

/**
 * Bookings, their payments and a provider. What is stored is what the deciders
 * say; a call that crashes or whose answer is lost leaves it as it was.
 */
export class MoneyWorld {
  now: Instant.Instant = base
  readonly bookings: Array<Booking> = []
  readonly payments: Array<Payment> = []
  readonly provider: Provider
  /** Of bookings whose cancel came after their start, and so keeps the money that had been paid. */
  readonly kept = new Set<string>()
  readonly #guards: Guards
  constructor(guards: Guards) {
    this.#guards = guards
    this.provider = new Provider(guards)
  }

  /** A hold that is to be paid, and what the provider will be asked, in one unit. */
  book(startsInMinutes: number, way: Way): void {
    const id = `booking-${this.bookings.length}`
    const booking = hold(id, this.now, startsInMinutes)
    this.bookings.push(booking)
    this.#ask(booking, 1)
    this.order(this.bookings.length - 1, way)
  }

  /**
   * The same order again: what is under way is asked for again, and what has ended is asked for anew. `isOther` says
   * that the provider finds it to be another request than the first with its key, such as after the guest's address
   * has changed.
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

  /** A guest pays at any session there is, known to us or not; the notice may be lost, or come twice. */
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
    const settled = settlePayment(booking, payment, { now: this.now, intent, placeIsFree })
    this.bookings[this.bookings.indexOf(booking)] = settled.booking.state
    this.payments[this.payments.indexOf(payment)] = settled.payment.state
  }

  change(
    at: number,
    command: Extract<BookingCommand, { readonly _tag: "Confirm" | "Move" | "Cancel" }>
  ) {
    const before = this.bookings[at]
    if (before === undefined) return
    const decided: Either.Either<Decider.Decision<Booking, BookingEvent>, Refusal> = Decider.run(bookingDecider)(
      before,
      command
    )
    if (Either.isLeft(decided) || decided.right.events.length === 0) return
    const { events, state } = decided.right
    this.bookings[at] = state
    const isReturned = events.some((event) => event._tag === "booking.cancelled" && event.isRefunded)
    // The rule in other words than the decider's: what has begun is paid for, unless the outfitter calls it off.
    const isOver = command._tag === "Cancel" && command.calledOff !== true && before.startsAt <= this.now
    if (isOver && before.paymentIntentId !== null) this.kept.add(state.id)
    if (!isReturned) return
    const paid = this.payments.find((one) => one.status === "paid" && one.intent === state.paymentIntentId)
    if (paid !== undefined) this.#store(paid.id, { _tag: "Return", now: this.now })
  }

  /** The tasks that are due: checkouts of holds that ended are closed, and what is owed goes back. */
  work(way: Way): void {
    for (const payment of this.payments.slice()) {
      const booking = this.bookings.find(({ id }) => id === payment.bookingId)
      const isOver = booking?.status !== "held" || booking.expiresAt <= this.now
      if (isPayable(payment) && isOver && way !== "crash") this.#close(payment, way)
      if (isOwed(payment) && way !== "crash") {
        this.provider.refund(payment.intent)
        if (way !== "lost") {
          this.#store(payment.id, { _tag: "Returned", now: this.now, id: `re_${payment.intent}` })
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

  /** Everything that was lost is found, and every task runs. */
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
    const payment = opening({
      id: `${booking.id}/${attempt}`,
      bookingId: booking.id,
      attempt,
      cents: booking.totalCents,
      madeAt: this.now,
      expiresAt: checkoutEnd(booking.expiresAt, this.now)
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

const hold = (id: string, now: Instant.Instant, startsInMinutes: number): Held => ({
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
  reference: "7KQ2MXPD",
  handle: "q3V9wT1mZbXc7RkLp0sNdA",
  source: "api",
  notes: "",
  metadata: {},
  createdAt: now,
  paidAt: null,
  paymentIntentId: null,
  refund: null,
  dispute: null,
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
