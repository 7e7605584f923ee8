import type { Closure } from "@trailbook/core/offering/closure/Closure"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as FastCheck from "effect/FastCheck"
import { moment, origin } from "./moment.ts"
import { text } from "./text.ts"

const today = Math.floor(origin / 86_400_000)

/** A closure for all offerings within three days of the generated instants, without an org. */
export const closure: FastCheck.Arbitrary<Closure> = FastCheck.record({
  id: FastCheck.uuid(),
  fromDate: FastCheck.integer({ min: -3, max: 3 }),
  days: FastCheck.nat(3),
  hours: FastCheck.option(FastCheck.uniqueArray(FastCheck.nat(24), { minLength: 2, maxLength: 2 })),
  reason: text(200),
  createdAt: moment
}).map(({ days, fromDate, hours, ...closure }) => {
  const [from = 0, to = 0] = (hours ?? []).toSorted((a, b) => a - b)
  return {
    ...closure,
    orgId: "",
    fromDate: LocalDate.make(today + fromDate),
    toDate: LocalDate.make(today + fromDate + days),
    startTime: hours === null ? null : LocalTime.make(from * 3600),
    endTime: hours === null ? null : LocalTime.make(to * 3600),
    offeringId: null
  }
})
