/**
 * Requests refunds and processes later reports from the provider. A refund is done when the provider has sent the
 * money, not when it has accepted the request.
 */
import * as Effect from "effect/Effect"
import type { BookingRecord } from "../../booking/BookingView.ts"
import type { Org } from "../../org/Org.ts"
import { Ids } from "../../port/Ids.ts"
import { makeStaffNotificationTasks } from "../../staff/Notifier.ts"
import { StaffStore } from "../../staff/StaffMember.ts"
import type { Instant } from "../../time/Instant.ts"
import type { PaidPayment, Refund } from "../Payment.ts"
import { type PaymentCommand, refundFailedLaterMessage } from "../PaymentDecider.ts"
import type { PaymentsFailed, ProviderRefund } from "../PaymentProvider.ts"
import { makePaymentTasks } from "./paymentChanges.ts"
import { Payments, withProviderTimeout } from "./Payments.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"

export const makeRefundPayment = Effect.gen(function*() {
  const updateBooking = yield* makeUpdateBookingAndPayments
  const ids = yield* Ids
  const payments = yield* Payments
  const staff = yield* StaffStore

  /** Applies a command to a payment. Returns whether the command changed anything. */
  const recordOutcome = ({ bookingId, id, orgId }: PaidPayment, makeCommand: (now: Instant) => PaymentCommand) =>
    Effect.flatMap(
      staff.list(orgId),
      (staffMembers) =>
        updateBooking({ orgId, id: bookingId }, (now, _, bookingPayments) => {
          const current = bookingPayments.find((payment) => payment.id === id)
          if (current?.status !== "paid") return { result: false }
          const { events, state } = runPaymentDecider(current, makeCommand(now))
          if (events.length === 0) return { result: false }
          // Staff are notified only of the first refusal, because the list of failing tasks shows the retries.
          const needsNotice = events.some((event) =>
            event._tag === "refund.failed" || (event._tag === "refund.refused" &&
              current.refunds.every((refund) => refund.id !== event.refund.id || refund.status !== "refused"))
          )
          return {
            result: true,
            payments: [state],
            tasks: [
              ...needsNotice
                ? makeStaffNotificationTasks(ids, staffMembers, { kind: "mail.refund", orgId, aboutId: id, dueAt: now })
                : [],
              ...makePaymentTasks(state, events, { now, newId: ids.uuid })
            ]
          }
        })
    ).pipe(Effect.map((isChanged) => isChanged ?? false))

  return {
    /** Requests a refund, or queries a pending refund. Returns whether the refund is done. */
    attempt: (
      payment: PaidPayment,
      refund: Refund,
      record: BookingRecord,
      org: Org
    ): Effect.Effect<ProviderRefund["status"], PaymentsFailed> => {
      const { id, refusals } = refund
      return withProviderTimeout(payments.refund(payment, refund, record, org)).pipe(
        Effect.tapError(({ message: error, reason }) =>
          reason === "declined" || reason === "refused"
            ? recordOutcome(payment, (now) => ({
              _tag: "Refuse",
              now,
              id,
              error,
              refusals: reason === "declined" ? refusals : null
            }))
            : Effect.void
        ),
        Effect.tap(({ id: providerId, reason, status }) =>
          recordOutcome(payment, (now) => {
            switch (status) {
              case "done":
                return { _tag: "Returned", now, id, providerId }
              case "pending":
                return { _tag: "Accept", now, id, providerId, refusals }
              case "failed":
                return { _tag: "Fail", now, id, providerId, error: reason === "" ? refundFailedLaterMessage : reason }
            }
          })
        ),
        Effect.map(({ status }) => status)
      )
    },

    /** Queries a payment's refunds and records the changes. Returns whether any change was new. */
    look: (payment: PaidPayment): Effect.Effect<boolean, PaymentsFailed> =>
      Effect.flatMap(
        withProviderTimeout(payments.refunds(payment)),
        (refunds) => recordOutcome(payment, (now) => ({ _tag: "Find", now, found: refunds }))
      )
  }
})
