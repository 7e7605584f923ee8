import * as Task from "../../task/Task.ts"
import * as Instant from "../../time/Instant.ts"
import type { Payment } from "../Payment.ts"
import type { PaymentEvent } from "../PaymentDecider.ts"

/**
 * Returns the tasks that follow a payment change: requesting due refunds and closing a checkout that must no longer
 * accept payment.
 */
export const makePaymentTasks = (
  { id: subjectId, orgId, session, status }: Payment,
  events: ReadonlyArray<PaymentEvent>,
  { newId, now: dueAt }: { readonly now: Instant.Instant; readonly newId: () => string }
): ReadonlyArray<Task.Task> => {
  const refunds = events.flatMap((event) =>
    event._tag === "refund.due" ? [Task.make({ id: event.refund.id, kind: "refund", orgId, subjectId, dueAt })] : []
  )
  // A payment may expire or be abandoned while its checkout is being opened. The session is known only after the
  // checkout is opened.
  const isShut = (status === "expired" || status === "abandoned") && session !== null && events.length > 0
  return isShut ? [...refunds, Task.make({ id: newId(), kind: "checkout.close", orgId, subjectId, dueAt })] : refunds
}

/**
 * Returns the tasks for a new payment. The first task opens the checkout if the request that created the payment did
 * not open it. The second task closes the checkout when the hold expires.
 */
export const makeCheckoutTasks = (
  payment: Payment,
  holdEndsAt: Instant.Instant,
  newId: () => string,
  openInMinutes = 1
): ReadonlyArray<Task.Task> => [
  Task.make({
    id: newId(),
    kind: "checkout.open",
    orgId: payment.orgId,
    subjectId: payment.id,
    dueAt: Instant.addMinutes(payment.madeAt, openInMinutes)
  }),
  makeCloseCheckoutTask(payment, holdEndsAt, newId)
]

/** Returns the task that closes a payment's checkout. */
export const makeCloseCheckoutTask = (
  { id: subjectId, orgId }: Payment,
  dueAt: Instant.Instant,
  newId: () => string
): Task.Task => Task.make({ id: newId(), kind: "checkout.close", orgId, subjectId, dueAt })
