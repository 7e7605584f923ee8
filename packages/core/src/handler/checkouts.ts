import * as Effect from "effect/Effect"
import { Checkouts } from "../payment/online/Checkouts.ts"
import * as Handler from "../task/Handler.ts"
import { completeAfter } from "./completeAfter.ts"
import { paymentSubjects } from "./paymentSubjects.ts"

/**
 * Sees the checkouts of holds through. `open` asks for one that whoever ordered did
 * not come to ask for, and `close` ends it when the hold has ended. A checkout ends by
 * itself within a day, and no longer than that either is tried.
 *
 * @category handlers
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
