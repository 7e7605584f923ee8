import { makeFindClosure } from "@trailbook/core/offering/closure/Closure"
import {
  decideStartOutcomes,
  listPlannedStarts,
  type PlannedStart,
  type SessionPlan
} from "@trailbook/core/session/sessionPlan"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Zone from "@trailbook/core/time/Zone"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { closures } from "../generators/closure.ts"
import { day } from "../generators/zone.ts"

const raft = { orgId: "org", id: "raft" }

const cases = day.chain((day) => {
  const date = FastCheck.integer({ min: -3, max: 8 }).map((days) => LocalDate.addDays(day.date, days))
  return FastCheck.record({
    day: FastCheck.constant(day),
    closures: closures(day.date, raft),
    plan: FastCheck.record({
      weekdays: FastCheck.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
      times: FastCheck.array(FastCheck.integer({ min: 0, max: 47 }).map((half) => LocalTime.make(half * 1800)), {
        minLength: 1,
        maxLength: 4
      }),
      fromDate: date,
      toDate: date,
      exceptDates: FastCheck.array(date, { maxLength: 3 })
    }).map(({ fromDate, toDate, ...plan }): SessionPlan => ({
      ...plan,
      fromDate: LocalDate.make(Math.min(fromDate, toDate)),
      toDate: LocalDate.make(Math.max(fromDate, toDate))
    })),
    nowMinutes: FastCheck.integer({ min: -5000, max: 12_000 }),
    taken: FastCheck.array(FastCheck.nat(20), { maxLength: 4 })
  })
})

describe("plannedStarts", () => {
  it("returns every start in the plan unless a clock change skips it", () => {
    let matchCount = 0
    FastCheck.assert(
      FastCheck.property(cases, ({ day: { zone }, plan }) => {
        const starts = Either.getOrThrow(listPlannedStarts(plan, zone))
        const matchingStarts: Array<number> = []
        const end = zone.startOf(LocalDate.addDays(plan.toDate, 1))
        for (let at: number = zone.startOf(plan.fromDate); at < end; at += 15 * 60_000) {
          const { date, millisOfDay } = zone.wallAt(Instant.make(at))
          const text = LocalDate.format(date)
          const isChosen = plan.weekdays.includes(new Date(text).getUTCDay()) &&
            !plan.exceptDates.map(LocalDate.format).includes(text) &&
            plan.times.some((time) => time * 1000 === millisOfDay)
          // The second occurrence of a wall time is not a start time.
          if (isChosen && zone.instantAtWall({ date, millisOfDay }) === at) matchingStarts.push(at)
        }
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b))
        expect(starts).toEqual(expect.arrayContaining(matchingStarts))
        // All other starts are wall times that a clock change skipped.
        for (const start of starts.filter((start) => !matchingStarts.includes(start))) {
          expect(zone.offsetAt(start)).not.toBe(zone.offsetAt(Instant.addMinutes(start, -180)))
        }
        matchCount += matchingStarts.length
      }),
      { numRuns: 300 }
    )
    expect(matchCount).toBeGreaterThan(500)
  })

  it.each<[string, Partial<SessionPlan>]>([
    ["to_date: must not be before from_date", { toDate: LocalDate.make(99) }],
    ["to_date: a plan can span at most 366 days", { toDate: LocalDate.make(466) }],
    ["times: must be before 24:00", { times: [LocalTime.make(86_400)] }],
    ["times: a plan can have at most 1000 sessions, but this plan has 1098", {
      times: [0, 3600, 7200].map(LocalTime.make),
      toDate: LocalDate.make(465)
    }]
  ])("refuses an invalid plan: %s", (message, patch) => {
    const plan: SessionPlan = {
      weekdays: [0, 1, 2, 3, 4, 5, 6],
      times: [LocalTime.make(0)],
      fromDate: LocalDate.make(100),
      toDate: LocalDate.make(100),
      exceptDates: [],
      ...patch
    }
    const starts = listPlannedStarts(plan, Zone.get("UTC"))
    expect(Either.isLeft(starts) ? starts.left.message : starts.right.length).toBe(message)
  })
})

describe("planOutcomes", () => {
  it("assigns each start the first applicable outcome", () => {
    FastCheck.assert(
      FastCheck.property(cases, ({ closures, day, nowMinutes, plan, taken }) => {
        const starts = Either.getOrThrow(listPlannedStarts(plan, day.zone))
        const now = Instant.addMinutes(day.zone.startOf(day.date), nowMinutes)
        const existing = new Map(taken.flatMap((at) => starts[at] === undefined ? [] : [[starts[at], `old-${at}`]]))
        const closureAt = makeFindClosure(closures, day.zone, raft)
        const isClosed = (start: Instant.Instant) => closureAt(start) !== undefined
        const outcomes = decideStartOutcomes(starts, { existing, isClosed, now, newId: () => "new" })
        expect(outcomes).toEqual(starts.map((startsAt): PlannedStart =>
          startsAt <= now
            ? { startsAt, outcome: "past", sessionId: null }
            : existing.has(startsAt)
            ? { startsAt, outcome: "existing", sessionId: existing.get(startsAt) ?? null }
            : isClosed(startsAt)
            ? { startsAt, outcome: "closed", sessionId: null }
            : { startsAt, outcome: "created", sessionId: "new" }
        ))
        const after = new Map(
          outcomes.flatMap(({ sessionId, startsAt }) => sessionId === null ? [] : [[startsAt, sessionId]])
        )
        const again = decideStartOutcomes(starts, { existing: after, isClosed, now, newId: () => "twice" })
        expect(again.filter(({ outcome }) => outcome === "created")).toEqual([])
      }),
      { numRuns: 500 }
    )
  })
})
