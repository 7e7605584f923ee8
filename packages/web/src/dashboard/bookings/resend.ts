import { bookingsResend } from "@trailbook/core/operation/bookingOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import type { Act } from "../View.ts"

export const act: Act = ({ param, run }) =>
  Effect.as(run(bookingsResend, { id: param("id") }), saying(`/dashboard/bookings/${param("id")}`, "resent"))
