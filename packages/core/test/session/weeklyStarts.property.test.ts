import { listWeeklyStarts } from "@trailbook/core/session/sessionPlan"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { day } from "../generators/zone.ts"
import * as temporal from "../time/temporal.ts"

const series = FastCheck.record({
  day,
  minute: FastCheck.nat(1439),
  millis: FastCheck.oneof(FastCheck.constant(0), FastCheck.nat(59_999)),
  weeks: FastCheck.integer({ min: 1, max: 52 })
}).map(({ day: { date, zone }, millis, minute, weeks }) => ({
  zone,
  first: Instant.make(zone.startOf(date) + minute * 60_000 + millis),
  weeks
}))

describe("weeklyStarts", () => {
  it("returns one start per week, seven calendar days apart", () => {
    FastCheck.assert(
      FastCheck.property(series, ({ first, weeks, zone }) => {
        const starts = listWeeklyStarts(zone, first, weeks)
        expect(starts).toHaveLength(weeks)
        expect(starts[0]).toBe(first)
        expect(starts).toEqual(
          starts.map((_, week) => week === 0 ? first : temporal.addDays(zone.name, first, week * 7))
        )
      }),
      { numRuns: 200 }
    )
  })

  it("preserves each session's wall time unless the clock skips it", () => {
    let changeCount = 0
    FastCheck.assert(
      FastCheck.property(series, ({ first, weeks, zone }) => {
        const wall = temporal.wallAt(zone.name, first)
        for (const [week, start] of listWeeklyStarts(zone, first, weeks).entries()) {
          const expected = wall + week * 7 * 86_400_000
          const isSkipped = temporal.wallAt(zone.name, temporal.instantOf(zone.name, expected)) !== expected
          if (!isSkipped) expect(temporal.wallAt(zone.name, start)).toBe(expected)
          if (zone.offsetAt(start) !== zone.offsetAt(first)) changeCount++
        }
      }),
      { numRuns: 200 }
    )
    expect(changeCount).toBeGreaterThan(500)
  })

  it("keeps a 9 a.m. class at 9 a.m. across a clock change", () => {
    const zone = Zone.get("America/Denver")
    const first = Instant.make(Date.parse("2027-02-27T09:00:00-07:00"))
    expect(listWeeklyStarts(zone, first, 4).map(Instant.format)).toEqual([
      "2027-02-27T16:00:00.000Z",
      "2027-03-06T16:00:00.000Z",
      "2027-03-13T16:00:00.000Z",
      "2027-03-20T15:00:00.000Z"
    ])
  })
})
