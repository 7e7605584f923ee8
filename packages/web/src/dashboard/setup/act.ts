import { offeringsCreate, offeringsGet, offeringsSetHours } from "@trailbook/core/offering/offeringOperations"
import { invalid } from "@trailbook/core/Refusal"
import { sessionsCreate } from "@trailbook/core/session/sessionOperations"
import * as Effect from "effect/Effect"
import { hoursIn } from "../offerings/hoursForm.ts"
import { isKind } from "../offerings/kinds.ts"
import { parseStart } from "../offerings/parseStart.ts"
import type { FormAction } from "../Page.ts"
import { amountIn } from "../parts/money.ts"
import { readMinutes } from "../parts/numbers.ts"

export const act: FormAction = ({ form, run, shown: { format, org } }) =>
  Effect.gen(function*() {
    const offering = form["offering"] ?? ""
    switch (form["step"]) {
      case "what": {
        const kind = form["kind"]
        if (!isKind(kind)) return yield* invalid("Choose a booking type.")
        const made = yield* run(offeringsCreate, {
          kind,
          name: form["name"] ?? "",
          price_cents: yield* amountIn(form, "price", org.currency),
          duration_minutes: yield* readMinutes(form, "duration"),
          idempotency_key: form["key"] ?? ""
        })
        return `/dashboard/setup?offering=${made.id}` as const
      }
      case "dates": {
        const { starts_at, weeks } = yield* parseStart(form, org.timezone)
        yield* run(sessionsCreate, {
          offering_id: offering,
          starts_at,
          repeat_weeks: weeks,
          idempotency_key: form["key"] ?? ""
        })
        return `/dashboard/setup?offering=${encodeURIComponent(offering)}` as const
      }
      case "hours": {
        const { id } = yield* run(offeringsGet, { id: offering })
        const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => form[`day-${day}`] === "on")
        if (days.length === 0) return yield* invalid("Choose at least one day.")
        const rows = days.map((weekday) => ({ weekday, from: form["from"] ?? "", to: form["to"] ?? "" }))
        yield* run(offeringsSetHours, { id, hours: yield* hoursIn(rows, format.weekdays("long")) })
        return `/dashboard/setup?offering=${id}` as const
      }
      default:
        return yield* invalid("Not saved: submit one of the forms on this page.")
    }
  })
