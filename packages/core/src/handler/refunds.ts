import * as Effect from "effect/Effect"
import { makeRefundPayment } from "../payment/online/makeRefundPayment.ts"
import { isOwed } from "../payment/PaymentDecider.ts"
import * as Handler from "../task/Handler.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { paymentSubjects } from "./paymentSubjects.ts"

/**
 * Refunds a payment. The money belongs to the guest, so a refund never fails permanently. While the provider has not
 * sent the money, or a dispute blocks it, the task is postponed, which does not count as a failure.
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
      // A refund during a dispute would pay the guest twice. Retry after the decision of the bank.
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
              return new Handler.TaskFailed({
                message: "The provider accepted the refund, but the refund failed later.",
                permanent: false
              })
          }
        })
      )
    }
  })
})

/** Payment webhooks report the end of a pending refund sooner. This is the polling interval without them. */
const pendingMinutes = 60

const disputedMinutes = 6 * 60
