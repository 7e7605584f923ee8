/**
 * The way of a guest's money: where it is paid, what became of it, and what that is
 * to its booking. The provider is asked while nothing is locked.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Booking, isLive } from "../../booking/Booking.ts"
import { bookingDecider } from "../../booking/BookingDecider.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import * as Decider from "../../Decider.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import { Ids } from "../../port/Ids.ts"
import { noticeTasks } from "../../staff/noticeTasks.ts"
import { StaffStore } from "../../staff/StaffStore.ts"
import type { TaskResult } from "../../task/Handler.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { type Checkout, type Dispute, isPayable, type Paid, type Payment, type PaymentAccount } from "../Payment.ts"
import type { PaymentNotification } from "../PaymentProvider.ts"
import type { PaymentsFailed } from "../PaymentsFailed.ts"
import { PaymentStore } from "../PaymentStore.ts"
import { makeApplyProviderStatus } from "./applyProviderStatus.ts"
import { makeRefundPayment } from "./makeRefundPayment.ts"
import { openCheckout } from "./openCheckout.ts"
import { Payments } from "./Payments.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"
import { withProviderTimeout } from "./withProviderTimeout.ts"

/** An account of a provider, of which something is told. */
export type Account = PaymentAccount & Pick<Checkout, "orgId">

export class Checkouts extends Context.Tag("@trailbook/core/Checkouts")<
  Checkouts,
  {
    /** A hold with the address to pay at; as it is where nothing is to be paid any more, or the address is to be had later. */
    readonly open: (hold: BookingRecord) => Effect.Effect<BookingRecord, PaymentsFailed>
    /** Ends a checkout whose hold has ended, and settles what was paid meanwhile; later, while the hold lasts. */
    readonly close: (payment: Payment, booking: Booking) => Effect.Effect<TaskResult, PaymentsFailed>
    /** Looks where it is told to, and settles what is found. Says whether anything was new. */
    readonly told: (account: Account, news: PaymentNotification) => Effect.Effect<boolean, PaymentsFailed>
    /** Looks at a payment, and settles what is found. Says whether anything was new. */
    readonly look: (payment: OrgKey) => Effect.Effect<boolean, PaymentsFailed>
  }
>() {
  static readonly layer = Layer.effect(
    Checkouts,
    Effect.gen(function*() {
      const change = yield* makeUpdateBookingAndPayments
      const ids = yield* Ids
      const open = yield* openCheckout
      const payments = yield* Payments
      const refunds = yield* makeRefundPayment
      const settle = yield* makeApplyProviderStatus
      const staff = yield* StaffStore
      const store = yield* PaymentStore

      const find = (key: OrgKey) => Effect.map(store.find([key]), ([payment]) => payment)

      /** A payment keeps the name of the checkout where it was paid: what is told of another is of other money. */
      const paidAt = ({ bookingId, id, orgId }: Payment, session: string, intent: string) =>
        change({ orgId, id: bookingId }, (_now, _record, all) => {
          const current = all.find((payment) => payment.id === id)
          return current?.status === "paid" && current.intent === intent && current.session !== session
            ? { answer: undefined, payments: [{ ...current, session }] }
            : { answer: undefined }
        })

      const lookedAt = (payment: Payment, session: string) =>
        Effect.gen(function*() {
          // A payment that has its money is not looked at again. Who pays at a second checkout of it has paid twice.
          if (payment.status === "paid" && payment.session === session) return false
          const found = yield* withProviderTimeout(payments.look({ ...payment, session }))
          if (found.status !== "paid") {
            yield* settle(payment, found)
            return found.status === "expired" && isPayable(payment)
          }
          const { bookingId: id, orgId } = payment
          const isKnown = (yield* store.ofBookings([{ orgId, id }])).some((one) =>
            one.status === "paid" && one.intent === found.intent
          )
          if (!(yield* settle(payment, found))) return false
          if (payment.session !== session) yield* paidAt(payment, session, found.intent)
          return !isKnown
        })

      const disputed = ({ bookingId, id, intent, orgId }: Paid, status: Dispute["status"]) =>
        Effect.flatMap(staff.list(orgId), (people) =>
          change({ orgId, id: bookingId }, (now, { booking }, all) => {
            const current = all.find((payment) => payment.id === id)
            const command = { _tag: "Dispute" as const, now, status }
            const marked = current === undefined ? undefined : runPaymentDecider(current, command)
            if (marked === undefined || marked.events.length === 0) return { answer: false }
            const tasks = noticeTasks(ids, people, { kind: "mail.dispute", orgId, aboutId: id, dueAt: now })
            const own = booking.paymentIntentId === intent
              ? Either.getOrThrow(Decider.run(bookingDecider)(booking, command)).state
              : undefined
            return { answer: true, payments: [marked.state], booking: own, tasks }
          }))

      return Checkouts.of({
        open,
        close: (payment, booking) =>
          Effect.gen(function*() {
            const now = yield* currentTime
            if (payment.status === "paid") return "done" as const
            // A hold keeps its end when it moves; only its end, or that of the booking, ends its checkout.
            if (booking.status === "held" && isLive(booking, now) && isPayable(payment)) {
              return { laterAt: booking.expiresAt }
            }
            if (payment.session === null) {
              // Nobody has the address of one whose making was never answered; what is told of it still counts.
              yield* settle(payment, { status: "expired" })
              return "done" as const
            }
            const found = yield* withProviderTimeout(payments.close({ ...payment, session: payment.session }))
            yield* settle(payment, found)
            // Money that is on its way arrives, or does not, within days.
            return found.status === "open" ? { laterAt: Instant.addMinutes(now, 60) } : "done" as const
          }),
        told: (account, news) =>
          Effect.gen(function*() {
            if (news._tag !== "Checkout") {
              const paid = Option.getOrUndefined(yield* store.withIntent({ ...account, intent: news.intent }))
              if (paid?.status !== "paid") return false
              return news._tag === "Refund" ? yield* refunds.look(paid) : (yield* disputed(paid, news.status)) ?? false
            }
            // An account may make checkouts for others, too.
            if (news.paymentId === null) return false
            const payment = yield* find({ orgId: account.orgId, id: news.paymentId })
            return payment === undefined || !isOf(account, payment) ? false : yield* lookedAt(payment, news.session)
          }),
        look: (key) =>
          Effect.flatMap(find(key), (payment) =>
            payment === undefined || payment.session === null
              ? Effect.succeed(false)
              : lookedAt(payment, payment.session))
      })
    })
  )
}

const isOf = ({ connection, provider }: Account, payment: Payment): boolean =>
  payment.provider === provider && payment.connection === connection
