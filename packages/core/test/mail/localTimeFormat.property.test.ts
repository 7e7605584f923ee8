import { makeLocalTimeFormat } from "@trailbook/core/mail/localTimeFormat"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { zones } from "../time/zones.ts"
import { at } from "./bookings.ts"

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const clocks = Object.fromEntries(zones.map((zone) => [zone, makeLocalTimeFormat(zone)]))
const form = /^(\w{3}), (\w{3}) (\d+), (\d{4}), (\d+):(\d\d) (AM|PM) (\S+)$/

it("formats a time as the outfitter's local date and time", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.constantFrom(...zones),
      FastCheck.integer({ min: 0, max: Date.UTC(2100, 0) }),
      (timezone, millis) => {
        const printed = clocks[timezone]?.time(Instant.make(millis)) ?? ""
        expect(printed).toMatch(form)
        const [, day, month = "", date = "", year, hour, minute, half] = form.exec(printed) ?? []
        const wall = Zone.get(timezone).wallAt(Instant.make(millis))
        const monthNumber = `${months.indexOf(month) + 1}`
        expect(`${year}-${monthNumber.padStart(2, "0")}-${date.padStart(2, "0")}`).toBe(LocalDate.format(wall.date))
        expect(day).toBe(days[LocalDate.weekday(wall.date)])
        expect(Number(hour) % 12 * 60 + Number(minute) + (half === "PM" ? 720 : 0)).toBe(
          Math.floor(wall.millisOfDay / 60_000)
        )
      }
    ),
    { numRuns: 2000 }
  )
})

describe("a time span", () => {
  const span = (from: string, to: string, timezone = "America/Denver") =>
    makeLocalTimeFormat(timezone).span({ startsAt: at(from), endsAt: at(to) })

  it("shows one date if it ends on the same day", () => {
    expect(span("2026-06-06T15:00Z", "2026-06-06T18:00Z")).toBe("Sat, Jun 6, 2026, 9:00 AM – 12:00 PM MDT")
  })

  it("shows both dates if it ends on another day", () => {
    expect(span("2026-06-06T15:00Z", "2026-06-08T15:00Z")).toBe(
      "Sat, Jun 6, 2026, 9:00 AM – Mon, Jun 8, 2026, 9:00 AM MDT"
    )
    expect(span("2026-06-07T03:00Z", "2026-06-07T06:00Z")).toBe(
      "Sat, Jun 6, 2026, 9:00 PM – Sun, Jun 7, 2026, 12:00 AM MDT"
    )
  })

  it("shows both zone abbreviations if the clocks change within it", () => {
    expect(span("2026-10-31T15:00Z", "2026-11-01T16:00Z")).toBe(
      "Sat, Oct 31, 2026, 9:00 AM MDT – Sun, Nov 1, 2026, 9:00 AM MST"
    )
    expect(span("2026-11-01T07:30Z", "2026-11-01T08:30Z")).toBe("Sun, Nov 1, 2026, 1:30 AM MDT – 1:30 AM MST")
  })

  it("shows the offset of a time zone without an abbreviation", () => {
    expect(span("2026-06-06T15:00Z", "2026-06-06T18:00Z", "Asia/Kathmandu")).toBe(
      "Sat, Jun 6, 2026, 8:45 PM – 11:45 PM GMT+5:45"
    )
  })
})
