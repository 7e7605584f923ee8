import * as Effect from "effect/Effect"
import { Checkouts } from "../payment/online/Checkouts.ts"
import * as Handler from "../task/Handler.ts"
import { completeAfter } from "./completeAfter.ts"
import { paymentSubjects } from "./paymentSubjects.ts"

/**
 * Opens and closes the checkouts of holds. `open` creates a checkout that the client did not request, and `close`
 * expires it after the hold has ended. A checkout expires within a day, so `open` is retried for a day and `close` for
 * two.
 */
export const checkouts = Effect.gen(function*() {
  const { close, open } = yield* Checkouts
  const read = yield* paymentSubjects
  const day = 24 * 60
  return {
    open: Handler.make({
      triedForMinutes: day,
      read,
      run: (_, { payment, record }) => payment.status === "opening" ? completeAfter(open(record)) : Handler.nothingToDo
    }),
    close: Handler.make({
      triedForMinutes: 2 * day,
      read,
      run: (_, { payment, record }) =>
        Effect.mapError(
          close(payment, record.booking),
          ({ message }) => new Handler.TaskFailed({ message, permanent: false })
        )
    })
  }
})
