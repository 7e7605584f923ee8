import * as Effect from "effect/Effect"
import { makeRefundPayment } from "../payment/online/makeRefundPayment.ts"
import { isOwed } from "../payment/PaymentDecider.ts"
import * as Handler from "../task/Handler.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { paymentSubjects } from "./paymentSubjects.ts"

/**
 * Refunds a payment. The money is the guest's, so a refund never fails permanently.
 * While the provider has not sent the money, or a dispute withholds it, the task
 * waits, which counts as no failure.
 *
 * @category handlers
 */
export const refunds = Effect.gen(function*() {
  const read = yield* paymentSubjects
  const { attempt } = yield* makeRefundPayment
  const later = (minutes: number) =>
    Effect.map(currentTime, (now): Handler.TaskResult => ({ laterAt: Instant.addMinutes(now, minutes) }))

  return Handler.make({
    triedForMinutes: Infinity,
    read,
    run: (_, { org, payment, record }) => {
      if (!isOwed(payment)) return Handler.nothingToDo
      // A refund during a dispute would pay the guest twice. The decision of the bank ends the wait.
      if (payment.dispute?.status === "open") return later(disputedMinutes)
      return attempt(payment, record, org).pipe(
        Effect.mapError(({ message }) => new Handler.TaskFailed({ message, permanent: false })),
        Effect.flatMap((status) => {
          switch (status) {
            case "done":
              return Effect.succeed<Handler.TaskResult>("done")
            case "pending":
              return later(pendingMinutes)
            case "failed":
              return new Handler.TaskFailed({ message: "The refund failed after it was accepted.", permanent: false })
          }
        })
      )
    }
  })
})

/** Notices report the end of a pending refund sooner. Without notices it is read this often. */
const pendingMinutes = 60

const disputedMinutes = 6 * 60
