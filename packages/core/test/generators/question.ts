import * as Offering from "@trailbook/core/offering/Offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as FastCheck from "effect/FastCheck"
import type { Question } from "../offering/minuteByMinute.ts"
import { hours, limitEntries } from "./hours.ts"
import { bufferMinutes, durationMinutes, slotIntervalMinutes } from "./offering.ts"
import { printAsJson } from "./printed.ts"
import { day } from "./zone.ts"

const notice = FastCheck.oneof(
  { weight: 3, arbitrary: FastCheck.constant(0) },
  { weight: 2, arbitrary: FastCheck.constantFrom(1, 60, 90, 1440, 2880) },
  { weight: 1, arbitrary: FastCheck.integer({ min: 0, max: 43_200 }) }
)

const horizon = FastCheck.oneof(FastCheck.constantFrom(1, 2, 3, 7), FastCheck.integer({ min: 1, max: 730 }))

const settings = FastCheck.record({ durationMinutes, slotIntervalMinutes, bufferMinutes, hours, notice, horizon })

/** Usually 1 to 5 periods, occasionally 60. */
const periods = FastCheck.oneof(
  { weight: 5, arbitrary: FastCheck.constant(1) },
  { weight: 5, arbitrary: FastCheck.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: FastCheck.constant(60) }
)

/**
 * A query for a few consecutive dates. The current time is at most 2 days before or 1 day after the start of the first
 * date. Occasionally the range has arbitrary millisecond bounds.
 */
export const question = (kind: "appointment" | "rental"): FastCheck.Arbitrary<Question> =>
  FastCheck.record({
    day,
    settings,
    periods: kind === "rental" ? periods : FastCheck.constant(1),
    days: FastCheck.integer({ min: 1, max: 3 }),
    early: FastCheck.oneof(
      FastCheck.integer({ min: -1440, max: 2 * 1440 }).map((minutes) => minutes * 60_000),
      FastCheck.integer({ min: -86_400_000, max: 2 * 86_400_000 })
    ),
    trim: FastCheck.oneof(
      { weight: 3, arbitrary: FastCheck.constant([0, 0]) },
      { weight: 1, arbitrary: FastCheck.array(FastCheck.nat(3_600_000), { minLength: 2, maxLength: 2 }) }
    )
  }).chain((inputs) =>
    FastCheck.oneof(
      { weight: 4, arbitrary: FastCheck.constant(inputs.settings.hours) },
      { weight: 1, arbitrary: limitEntries(inputs.settings.hours, inputs.day.date) }
    ).map((hours) => ({ ...inputs, settings: { ...inputs.settings, hours } }))
  ).map(({ day: { date, zone }, days, early, periods, settings: { horizon, hours, notice, ...rest }, trim }) => {
    const offering = Offering.make({
      id: "offering",
      orgId: "org",
      kind,
      name: "Raft",
      createdAt: Instant.min,
      ...rest
    })
    const [late = 0, soon = 0] = trim
    const start = zone.startOf(date)
    return printAsJson({
      offering: { ...offering, hours, minNoticeMinutes: notice, maxAdvanceDays: horizon, maxPeriods: 60 },
      zone,
      now: Instant.make(start - early),
      from: Instant.make(start + late),
      to: Instant.make(zone.startOf(LocalDate.addDays(date, days)) - soon),
      length: { periodMinutes: rest.durationMinutes, periods }
    })
  })
