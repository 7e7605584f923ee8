import { checkClosure, type Closure, makeFindClosure } from "@trailbook/core/offering/closure/Closure"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { closures } from "../generators/closure.ts"
import { type Day, day } from "../generators/zone.ts"

const raft = { orgId: "org", id: "raft" }

const cases = day.chain((day) =>
  FastCheck.record({
    day: FastCheck.constant(day),
    closures: closures(day.date, raft),
    quarters: FastCheck.array(FastCheck.integer({ min: -2 * 96, max: 4 * 96 }), { minLength: 1, maxLength: 8 })
  })
)

/** Returns the local date of an instant: the latest date that has started. */
const dateOf = ({ date, zone }: Day, at: number): string => {
  let latest = LocalDate.addDays(date, -6)
  for (let next = latest; zone.startOf(next) <= at; next = LocalDate.addDays(next, 1)) latest = next
  return LocalDate.format(latest)
}

/** Evaluates the closure rule by comparing strings. */
const isClosed = ({ endTime, fromDate, offeringId, orgId, startTime, toDate }: Closure, date: string, wall: string) =>
  orgId === raft.orgId && (offeringId === null || offeringId === raft.id) &&
  date >= LocalDate.format(fromDate) && date <= LocalDate.format(toDate) &&
  (startTime === null || endTime === null || (wall >= LocalTime.format(startTime) && wall < LocalTime.format(endTime)))

describe("makeFindClosure", () => {
  it("finds the first closure whose dates and wall times contain each start, in any order", () => {
    const counts = { closed: 0, open: 0 }
    FastCheck.assert(
      FastCheck.property(cases, ({ closures, day, quarters }) => {
        const findClosure = makeFindClosure(closures, day.zone, raft)
        for (const quarter of quarters) {
          const startsAt = Instant.addMinutes(day.zone.startOf(day.date), quarter * 15)
          const wall = LocalTime.format(LocalTime.make(day.zone.wallAt(startsAt).millisOfDay / 1000))
          const match = findClosure(startsAt)
          expect(match).toEqual(closures.find((closure) => isClosed(closure, dateOf(day, startsAt), wall)))
          counts[match === undefined ? "open" : "closed"]++
        }
      }),
      { numRuns: 2000 }
    )
    expect(Math.min(counts.closed, counts.open)).toBeGreaterThan(100)
  })
})

describe("checkClosure", () => {
  const closure: Closure = {
    ...raft,
    offeringId: null,
    fromDate: LocalDate.make(100),
    toDate: LocalDate.make(100),
    startTime: null,
    endTime: null,
    reason: "High water",
    createdAt: Instant.min
  }

  it.each<[string | undefined, Partial<Closure>]>([
    [undefined, {}],
    [undefined, { toDate: LocalDate.make(465) }],
    [undefined, { startTime: LocalTime.make(0), endTime: LocalTime.make(86_400) }],
    ["to_date: must not be before from_date", { toDate: LocalDate.make(99) }],
    ["to_date: a closure can last at most 366 days", { toDate: LocalDate.make(466) }],
    ["start_time: set both start_time and end_time, or neither", { endTime: LocalTime.make(60) }],
    [
      "end_time: must be after start_time. For hours past midnight, use two closures.",
      { startTime: LocalTime.make(60), endTime: LocalTime.make(60) }
    ]
  ])("validates dates and times: %s", (message, patch) => {
    const result = checkClosure({ ...closure, ...patch })
    expect(Either.isLeft(result) ? result.left.message : undefined).toBe(message)
  })
})
