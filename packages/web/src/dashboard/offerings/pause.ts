import { offeringsUpdate } from "@trailbook/core/offering/offeringOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction } from "../Page.ts"

export const act: FormAction = ({ form, param, run }) => {
  const active = form["active"] === "true"
  return Effect.map(
    run(offeringsUpdate, { id: param("id"), active }),
    ({ id }) => withFlash(`/dashboard/offerings/${id}`, active ? "resumed" : "paused")
  )
}
