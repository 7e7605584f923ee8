import { Bookings } from "@trailbook/core/booking/Bookings"
import * as Effect from "effect/Effect"
import { type AnyJob, repeated } from "../Job.ts"

/**
 * Cancels the holds that ran out a day ago. Two workers that sweep at once
 * cancel each once, for they lock it first.
 *
 * @category jobs
 */
export const sweep: Effect.Effect<AnyJob, never, Bookings> = Effect.flatMap(
  Bookings,
  ({ sweep }) => repeated({ name: "holds", pause: "1 minute", work: sweep(100), kind: "cancelled" })
)
