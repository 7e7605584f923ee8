import * as Task from "../../task/Task.ts"
import * as Instant from "../../time/Instant.ts"
import type { Payment } from "../Payment.ts"
import type { PaymentEvent } from "../PaymentDecider.ts"

/**
 * What is to be done at the provider once a payment has changed: what has to go back
 * goes back, and a checkout that takes no more money is closed there.
 */
export const paymentTasks = (
  payment: Payment,
  events: ReadonlyArray<PaymentEvent>,
  { newId, now }: { readonly now: Instant.Instant; readonly newId: () => string }
): ReadonlyArray<Task.Task> =>
  kindsOf(payment, events).map((kind) =>
    Task.make({ id: newId(), kind, orgId: payment.orgId, subjectId: payment.id, dueAt: now })
  )

const kindsOf = ({ session, status }: Payment, events: ReadonlyArray<PaymentEvent>) => {
  const isDue = events.some((event) =>
    event._tag === "refund.due" || (event._tag === "payment.captured" && !event.isKept)
  )
  // One that was given up or ended while the provider was asked is learned of when it takes no more money.
  const isShut = (status === "expired" || status === "abandoned") && session !== null && events.length > 0
  return [...(isDue ? ["refund" as const] : []), ...(isShut ? ["checkout.close" as const] : [])]
}

/**
 * What sees a payment through that the provider is to be asked for: it is asked by
 * somebody else should whoever made the order not get that far, and the checkout is
 * closed when the hold ends.
 */
export const checkoutTasks = (
  { id: subjectId, madeAt, orgId }: Payment,
  holdEndsAt: Instant.Instant,
  newId: () => string
): ReadonlyArray<Task.Task> => [
  Task.make({ id: newId(), kind: "checkout.open", orgId, subjectId, dueAt: Instant.addMinutes(madeAt, 1) }),
  Task.make({ id: newId(), kind: "checkout.close", orgId, subjectId, dueAt: holdEndsAt })
]
