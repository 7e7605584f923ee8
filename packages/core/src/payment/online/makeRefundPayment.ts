/**
 * Requests refunds and processes later reports of the provider. A refund is done when the provider has sent the money.
 * The acceptance of the request is not enough.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type BookingCommand, bookingDecider } from "../../booking/BookingDecider.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import * as Decider from "../../Decider.ts"
import type { Org } from "../../org/Org.ts"
import { Ids } from "../../port/Ids.ts"
import { noticeTasks } from "../../staff/noticeTasks.ts"
import { StaffStore } from "../../staff/StaffStore.ts"
import * as Task from "../../task/Task.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Paid, Payment } from "../Payment.ts"
import type { PaymentCommand, PaymentEvent } from "../PaymentDecider.ts"
import type { FoundRefund } from "../PaymentProvider.ts"
import type { PaymentsFailed } from "../PaymentsFailed.ts"
import { Payments } from "./Payments.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"
import { withProviderTimeout } from "./withProviderTimeout.ts"

export const makeRefundPayment = Effect.gen(function*() {
  const change = yield* makeUpdateBookingAndPayments
  const ids = yield* Ids
  const payments = yield* Payments
  const staff = yield* StaffStore

  /** Applies commands to a payment and to the booking that it paid for. Returns whether anything changed. */
  const report = ({ bookingId, id, orgId }: Paid, commandsOf: (now: Instant) => ReadonlyArray<PaymentCommand>) =>
    Effect.flatMap(staff.list(orgId), (people) =>
      change({ orgId, id: bookingId }, (now, { booking }, all) => {
        const current = all.find((payment) => payment.id === id)
        if (current?.status !== "paid") return { answer: false }
        const events: Array<PaymentEvent> = []
        const after = commandsOf(now).reduce((payment, command) => {
          const next = runPaymentDecider(payment, command)
          events.push(...next.events)
          return next.state
        }, current as Payment)
        if (events.length === 0) return { answer: false }
        const isOwn = current.intent === booking.paymentIntentId
        const told = !isOwn ? booking : events.reduce((state, event) => {
          const command = commandOf(event, now)
          return command === undefined ? state : Either.getOrThrow(Decider.run(bookingDecider)(state, command)).state
        }, booking)
        const isRefused = events.some(({ _tag }) => _tag === "refund.refused")
        // Staff are notified of the first refusal only. The retries are listed with the failing tasks.
        const isNews = isRefused && current.refund?.status !== "refused"
        // A completed refund has no task anymore.
        const isReopened = isRefused && current.refund?.status === "done"
        return {
          answer: true,
          payments: [after],
          booking: told === booking ? undefined : told,
          tasks: [
            ...isNews ? noticeTasks(ids, people, { kind: "mail.refund", orgId, aboutId: id, dueAt: now }) : [],
            ...isReopened ? [Task.make({ id: ids.uuid(), kind: "refund", orgId, subjectId: id, dueAt: now })] : []
          ]
        }
      })).pipe(Effect.map((isChanged) => isChanged ?? false))

  const failed = (payment: Paid, { id, reason }: Pick<FoundRefund, "id" | "reason">) =>
    report(payment, (now) => [{ _tag: "Fail", now, id, error: reason === "" ? failedLater : reason }])

  return {
    /** Requests the refund, or reads a pending one. Returns whether it is done. */
    attempt: (payment: Paid, record: BookingRecord, org: Org): Effect.Effect<FoundRefund["status"], PaymentsFailed> =>
      withProviderTimeout(payments.refund(payment, record, org)).pipe(
        Effect.tapError(({ message: error, reason }) =>
          reason === "declined" || reason === "refused"
            ? report(payment, (now) => [{
              _tag: "Refuse",
              now,
              error,
              refusals: reason === "declined" ? payment.refusals : null
            }])
            : Effect.void
        ),
        Effect.tap(({ id, reason, status }) => {
          switch (status) {
            case "done":
              return report(payment, (now) => [{ _tag: "Returned", now, id }])
            case "pending":
              return report(payment, (now) => [{ _tag: "Accept", now, id, refusals: payment.refusals }])
            case "failed":
              return failed(payment, { id, reason })
          }
        }),
        Effect.map(({ status }) => status)
      ),

    /** Reads the refunds of a payment and records what changed. Returns whether anything was new. */
    look: (payment: Paid): Effect.Effect<boolean, PaymentsFailed> =>
      Effect.gen(function*() {
        const found = yield* withProviderTimeout(payments.refunds(payment))
        const { refund } = payment
        const cents = refund?.cents ?? payment.cents
        const id = refund?.status === "due" ? refund.pendingId : refund?.status === "done" ? refund.id : null
        const own = found.find((one) => one.id === id)
        if (own?.status === "failed") return yield* failed(payment, own)
        const broken = found.findLast(({ status }) => status === "failed")
        // A refund made at the provider has no ID here. It failed if the remaining refunds are less than it returned.
        const isUnnamed = own === undefined && refund?.status === "done" && payment.dispute?.status !== "lost"
        if (isUnnamed && broken !== undefined && sumOf(found, "done", "pending") < cents) {
          return yield* failed(payment, { ...broken, id: refund.id })
        }
        const last = found.findLast(({ status }) => status === "done")
        // A refund made at the provider counts too, once it is complete.
        const returned = sumOf(found, "done")
        if (last === undefined || returned < cents) return false
        return yield* report(
          payment,
          (now) => [{ _tag: "Return", now, cents }, { _tag: "Returned", now, id: last.id, cents: returned }]
        )
      })
  }
})

/** The effect of a payment event on the booking that the payment belongs to. */
const commandOf = (
  event: PaymentEvent,
  now: Instant
): Exclude<BookingCommand, { readonly _tag: "Create" }> | undefined => {
  switch (event._tag) {
    case "refund.accepted":
      return { _tag: "AcceptRefund", now }
    case "refund.done":
      return { _tag: "Refunded", now, cents: event.cents }
    case "refund.refused":
      return { _tag: "RefuseRefund", now }
    default:
      return undefined
  }
}

const sumOf = (refunds: ReadonlyArray<FoundRefund>, ...statuses: ReadonlyArray<FoundRefund["status"]>): number =>
  refunds.filter(({ status }) => statuses.includes(status)).reduce((sum, { cents }) => sum + cents, 0)

const failedLater = "The provider accepted the refund, but the refund failed later."
