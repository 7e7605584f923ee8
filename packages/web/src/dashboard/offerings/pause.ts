import { offeringsUpdate } from "@trailbook/core/operation/offeringOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import type { Act } from "../View.ts"

export const act: Act = ({ form, param, run }) => {
  const active = form["active"] === "true"
  return Effect.map(
    run(offeringsUpdate, { id: param("id"), active }),
    ({ id }) => saying(`/dashboard/offerings/${id}`, active ? "resumed" : "paused")
  )
}
