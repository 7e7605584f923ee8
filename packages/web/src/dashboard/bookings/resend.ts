import { bookingsResend } from "@trailbook/core/operation/bookingOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import type { Act } from "../View.ts"

export const act: Act = ({ param, run }) => {
  const path = `/dashboard/bookings/${param("id")}` as const
  return run(bookingsResend, { id: param("id") }).pipe(
    Effect.as(saying(path, "resent")),
    Effect.catchIf(({ code }) => code === "resend_limited", () => Effect.succeed(saying(path, "sentToday")))
  )
}
