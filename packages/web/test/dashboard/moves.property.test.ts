import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import {
  type CalendarPosition,
  formatTime,
  movePositionByKey,
  parsePosition,
  snapToStep,
  stepMinutes
} from "../../src/client/parts/calendarPosition.ts"
import { parseDateTimeLocal, toDateTimeLocal } from "../../src/dashboard/parts/dateTimes.ts"

const minutesPerDay = 1440
const numRuns = runs(5000, 500)

/**
 * The weeks to test, each given by a time zone and the date in the middle of the week. The clocks change on each of
 * these dates except the last.
 */
const weeks = [
  ["America/Denver", "2027-03-14"],
  ["America/Denver", "2027-11-07"],
  ["Europe/Berlin", "2027-03-28"],
  ["Europe/Berlin", "2027-10-31"],
  ["Australia/Lord_Howe", "2027-04-04"],
  ["Australia/Lord_Howe", "2027-10-03"],
  ["Asia/Kathmandu", "2027-05-03"]
] as const

const datesAround = (date: string): ReadonlyArray<string> =>
  [-3, -2, -1, 0, 1, 2, 3].map((by) =>
    LocalDate.format(LocalDate.addDays(LocalDate.parse(date) ?? LocalDate.make(0), by))
  )

const week = FastCheck.constantFrom(...weeks).map(([zone, date]) => ({ zone, dates: datesAround(date) }))
const minute = FastCheck.integer({ min: 0, max: minutesPerDay - 1 })
const keys = FastCheck.array(FastCheck.constantFrom("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "+", "-"), {
  maxLength: 40
})

/** Submits a calendar position through the departure form and reads the new start as the calendar shows it. */
const submitPlace = (place: CalendarPosition, zone: string): CalendarPosition => {
  const start = Either.getOrThrow(parseDateTimeLocal("starts_at", `${place.date}T${formatTime(place)}`, zone))
  return parsePosition(toDateTimeLocal(Instant.format(start), zone), place.seats)
}

describe("a calendar move", () => {
  it("snaps to the nearest step of the day", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: -3000, max: 3000 }), (minutes) => {
        const snapped = snapToStep(minutes)
        assert.strictEqual(snapped % stepMinutes, 0)
        assert.isTrue(snapped >= 0 && snapped < minutesPerDay)
        if (minutes >= 0 && minutes <= minutesPerDay - stepMinutes) {
          assert.isAtMost(Math.abs(snapped - minutes), stepMinutes / 2)
        }
      }),
      { numRuns }
    )
  })

  it("changes the time by one step per arrow key, within the day", () => {
    FastCheck.assert(
      FastCheck.property(minute, (from) => {
        const place = { date: "2027-05-03", minute: from, seats: 12 }
        const [up, down] = ["ArrowUp", "ArrowDown"].map((key) =>
          movePositionByKey(key, place, [place.date])?.minute ?? NaN
        )
        const steps = Array.from({ length: minutesPerDay / stepMinutes }, (_, at) => at * stepMinutes)
        assert.strictEqual(up, steps.findLast((step) => step < from) ?? 0)
        assert.strictEqual(down, steps.find((step) => step > from) ?? from)
      }),
      { numRuns }
    )
  })

  it("keeps the local time across a clock change", () => {
    FastCheck.assert(
      FastCheck.property(week, minute, keys, FastCheck.nat(6), ({ dates, zone }, from, pressed, day) => {
        const start = submitPlace({ date: dates[day] ?? "", minute: from, seats: 12 }, zone)
        const place = pressed.reduce<CalendarPosition>(
          (place, key) => movePositionByKey(key, place, dates) ?? place,
          start
        )
        const end = submitPlace(place, zone)
        assert.include(dates, place.date)
        if (!pressed.some((key) => key === "ArrowUp" || key === "ArrowDown")) {
          assert.strictEqual(place.minute, start.minute)
        }
        // A time in the skipped hour does not exist, so the departure starts after that hour.
        const isSkipped = end.minute > place.minute
        if (isSkipped) assert.include([30, 60], end.minute - place.minute)
        assert.deepStrictEqual({ ...end, minute: place.minute }, place)
        if (isSkipped) assert.isTrue(weeks.some(([, date]) => date === place.date))
      }),
      { numRuns }
    )
  })

  it("keeps at least one seat and ignores unrelated keys", () => {
    const place = { date: "2027-05-03", minute: 540, seats: 1 }
    assert.deepStrictEqual(movePositionByKey("-", place, [place.date]), place)
    assert.deepStrictEqual(movePositionByKey("+", place, [place.date]), { ...place, seats: 2 })
    assert.deepStrictEqual(movePositionByKey("ArrowLeft", place, [place.date, "2027-05-04"]), place)
    for (const key of ["Tab", "a", " ", "ArrowLeft", "ArrowRight"]) {
      assert.isUndefined(movePositionByKey(key, place, [place.date]))
    }
  })
})
