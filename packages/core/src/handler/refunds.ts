import * as Effect from "effect/Effect"
import { Payments } from "../booking/Payments.ts"
import * as Handler from "../task/Handler.ts"
import { bookingSubjects } from "./bookingSubjects.ts"

/**
 * Money that goes back to a guest. It is theirs, so it is never given up; what has
 * failed for a day is shown to people.
 *
 * @category handlers
 */
export const refunds = Effect.gen(function*() {
  const payments = yield* Payments
  const read = yield* bookingSubjects
  return Handler.make({
    triedForMinutes: Infinity,
    read,
    run: (_, { org, record }) =>
      Effect.mapBoth(payments.refund(record, org), {
        onSuccess: () => "done" as const,
        onFailure: ({ message }) => new Handler.TaskFailed({ message, permanent: false })
      })
  })
})
