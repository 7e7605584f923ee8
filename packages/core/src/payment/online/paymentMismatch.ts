/**
 * Handles payments that do not match their request. A checkout can have a payment's ID even though Trailbook did not
 * request it, because a payment link on the same account accepts any client reference.
 */
import * as Effect from "effect/Effect"
import { Ids } from "../../port/Ids.ts"
import { makeStaffNoticeTasks } from "../../staff/Notifier.ts"
import { StaffStore } from "../../staff/StaffMember.ts"
import type { Payment, PaymentRequest } from "../Payment.ts"
import { makeUpdateBookingAndPayments, runPaymentDecider } from "./updateBookingAndPayments.ts"

/**
 * The facts that a provider or the host application reports about a payment. Null means that the value was not
 * reported.
 */
export interface ReportedPayment {
  readonly intent: string
  readonly paymentId: string | null
  readonly cents: number | null
  readonly currency: string | null
}

/**
 * Returns whether a reported payment differs from the request in amount, currency, or payment ID. A provider with a
 * connection must report all three values. The host application may omit values that it does not know.
 */
export const isPaymentMismatch = (
  { cents, connection, currency, id }: Pick<PaymentRequest, "id" | "cents" | "currency" | "connection">,
  money: Omit<ReportedPayment, "intent">
): boolean => {
  const isDifferent = <A>(reportedValue: A | null, requestedValue: A) =>
    reportedValue === null ? connection !== null : reportedValue !== requestedValue
  return isDifferent(money.cents, cents) || isDifferent(money.currency?.toLowerCase() ?? null, currency) ||
    isDifferent(money.paymentId, id)
}

/**
 * Records a mismatch on its payment and notifies the staff. Returns whether the mismatch was new. The booking, the
 * hold, and the checkout do not change.
 */
export const makeRecordMismatch = Effect.gen(function*() {
  const updateBooking = yield* makeUpdateBookingAndPayments
  const ids = yield* Ids
  const staff = yield* StaffStore

  return ({ bookingId, id, orgId }: Payment, { cents, currency, intent }: ReportedPayment): Effect.Effect<boolean> =>
    Effect.gen(function*() {
      const staffMembers = yield* staff.list(orgId)
      const isNew = yield* updateBooking({ orgId, id: bookingId }, (now, _, bookingPayments) => {
        const current = bookingPayments.find((payment) => payment.id === id)
        if (current === undefined) return { answer: false }
        const mismatch = { at: now, intent, cents, currency }
        const decision = runPaymentDecider(current, { _tag: "Mismatch", found: mismatch })
        if (decision.events.length === 0) return { answer: false }
        const tasks = makeStaffNoticeTasks(ids, staffMembers, { kind: "mail.mismatch", orgId, aboutId: id, dueAt: now })
        return { answer: true, payments: [decision.state], tasks }
      })
      return isNew ?? false
    })
})
