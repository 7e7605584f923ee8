import { computeSlotEnd, getBookableWindow, listSlots } from "@trailbook/core/offering/listSlots"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { daily, entry, hoursWithSeconds } from "../generators/hours.ts"
import { question } from "../generators/question.ts"
import { type Question, spansByMinute } from "./minuteByMinute.ts"

const text = ({ endsAt, startsAt }: { readonly startsAt: number; readonly endsAt: number }): string =>
  `${new Date(startsAt).toISOString()} to ${new Date(endsAt).toISOString()}`

/** Compares the results and counts the starts, because questions without any slots would prove nothing. */
const holds = (questions: FastCheck.Arbitrary<Question>, grainSeconds: number, numRuns: number) => {
  const counts = { starts: 0, empty: 0 }
  FastCheck.assert(
    FastCheck.property(questions, (question) => {
      const spans = listSlots(question)
      expect(spans.map(text)).toEqual(spansByMinute(question, grainSeconds).map(text))
      counts.starts += spans.length
      if (spans.length === 0) counts.empty++
    }),
    { numRuns }
  )
  return counts
}

/** The number of test cases for each comparison. Most of them have slots. */
const cases = runs(600, 120)

describe("slots", () => {
  it("returns the same appointment starts as a minute-by-minute search", () => {
    const counts = holds(question("appointment"), 60, cases)
    expect(counts.starts).toBeGreaterThan(5 * cases)
    expect(counts.empty).toBeLessThan(0.75 * cases)
  })

  it("returns the same rental starts as a minute-by-minute search", () => {
    const counts = holds(question("rental"), 60, cases)
    expect(counts.starts).toBeGreaterThan(5 * cases)
    expect(counts.empty).toBeLessThan(0.75 * cases)
  })

  it("aligns start times to the opening time, including its seconds", () => {
    const halves = FastCheck.tuple(
      FastCheck.oneof(question("appointment"), question("rental")),
      hoursWithSeconds
    ).map(([question, hours]) => ({ ...question, offering: { ...question.offering, hours } }))
    expect(holds(halves, 30, cases / 4).starts).toBeGreaterThan(0.8 * cases)
  })

  it("returns the same starts for a range as for its parts", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.oneof(question("appointment"), question("rental")),
        FastCheck.double({ min: 0, max: 1, noNaN: true }),
        (question, part) => {
          const middle = Instant.make(Math.round(question.from + (question.to - question.from) * part))
          const parts = [{ ...question, to: middle }, { ...question, from: middle }].flatMap(listSlots)
          expect(parts.map(text)).toEqual(listSlots(question).map(text))
        }
      ),
      { numRuns: runs(300, 75) }
    )
  })

  it("returns no starts for a class", () => {
    FastCheck.assert(
      FastCheck.property(question("rental"), (question) => {
        expect(listSlots({ ...question, offering: { ...question.offering, kind: "class" } })).toEqual([])
      }),
      { numRuns: runs(50, 20) }
    )
  })
})

describe("start times on one date", () => {
  const denver = Zone.get("America/Denver")
  const date = (text: string): LocalDate.LocalDate => LocalDate.make(Date.parse(`${text}T00:00:00Z`) / 86_400_000)
  const starts = (
    kind: "appointment" | "rental",
    settings: Partial<Offering.OfferingSettings> & { readonly hours?: ReadonlyArray<Offering.HoursEntry> },
    on: string,
    zone = denver,
    periods = 1
  ): ReadonlyArray<string> => {
    const baseOffering = Offering.make({
      id: "o",
      orgId: "org",
      kind,
      name: "Raft",
      createdAt: Instant.min,
      ...settings
    })
    const offering = { ...baseOffering, hours: settings.hours ?? baseOffering.hours, maxAdvanceDays: 730 }
    const from = zone.startOf(date(on))
    return listSlots({
      offering,
      zone,
      now: Instant.addMinutes(from, -2 * 1440),
      from,
      to: zone.startOf(LocalDate.addDays(date(on), 1)),
      length: { periodMinutes: offering.durationMinutes, periods }
    }).map(({ startsAt }) => new Date(startsAt + zone.offsetAt(startsAt)).toISOString().slice(11, 16))
  }
  const hour = 3600

  it("are hourly for an appointment by default", () => {
    expect(starts("appointment", {}, "2027-05-01")).toEqual(
      ["09:00", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "16:00"]
    )
    expect(starts("rental", {}, "2027-05-01")).toEqual(["09:00"])
  })

  it("are one duration plus one buffer apart by default", () => {
    expect(starts("appointment", { durationMinutes: 90, bufferMinutes: 30 }, "2027-05-01")).toEqual(
      ["09:00", "11:00", "13:00", "15:00"]
    )
  })

  it("let an appointment end at closing time", () => {
    expect(starts("appointment", { durationMinutes: 480, bufferMinutes: 60 }, "2027-05-01")).toEqual(["09:00"])
    expect(starts("appointment", { durationMinutes: 481 }, "2027-05-01")).toEqual([])
  })

  it("start over in each of two adjacent windows", () => {
    const hours = [...daily(9 * hour, 12 * hour + 1800), ...daily(12 * hour + 1800, 15 * hour)]
    expect(starts("appointment", { hours, durationMinutes: 120 }, "2027-05-01")).toEqual(["09:00", "11:00", "12:30"])
  })

  it("form a single series if opening hours overlap", () => {
    const hours = [...daily(10 * hour, 12 * hour), ...daily(9 * hour + 1800, 11 * hour)]
    expect(starts("appointment", { hours, durationMinutes: 60 }, "2027-05-01")).toEqual(["09:30", "10:30"])
  })

  it("start over every day if the offering never closes", () => {
    const hours = daily(0, 24 * hour)
    expect(starts("appointment", { hours, durationMinutes: 420 }, "2027-05-01")).toEqual(
      ["00:00", "07:00", "14:00", "21:00"]
    )
  })

  it("exclude slots that end after the year 9999", () => {
    const hours = daily(0, 24 * hour)
    const utc = Zone.get("UTC")
    expect(starts("rental", { hours }, "9999-12-30", utc)).toEqual(["00:00"])
    expect(starts("rental", { hours }, "9999-12-31", utc)).toEqual([])
    expect(starts("rental", { hours }, "9999-12-29", utc, 3)).toEqual([])
    expect(starts("appointment", { hours, durationMinutes: 720 }, "9999-12-31", utc)).toEqual(["00:00"])
    expect(starts("appointment", { hours, durationMinutes: 719 }, "9999-12-31", utc)).toEqual(["00:00", "11:59"])
  })

  it("allow slots until a closing time of 24:00", () => {
    const hours = daily(22 * hour, 24 * hour)
    expect(starts("appointment", { hours, durationMinutes: 120 }, "2027-05-01")).toEqual(["22:00"])
    expect(starts("appointment", { hours, durationMinutes: 121 }, "2027-05-01")).toEqual([])
  })

  it("move forward if the clock skips the opening time", () => {
    // On 2027-03-14, Denver's clocks go from 02:00 to 03:00.
    const open = (from: number, to: number) =>
      starts("appointment", { hours: daily(from, to), durationMinutes: 30 }, "2027-03-14")
    expect(open(2 * hour, 2 * hour + 1800)).toEqual(["03:00"])
    expect(open(2 * hour, 3 * hour)).toEqual([])
    expect(open(2 * hour + 1800, 3 * hour)).toEqual([])
    expect(open(hour, 4 * hour)).toEqual(["01:00", "01:30", "03:00", "03:30"])
  })

  it("contain no duplicates around a clock change", () => {
    const hours = [...daily(2 * hour, 2 * hour + 2700), ...daily(3 * hour, 4 * hour)]
    const settings = { hours, durationMinutes: 15 }
    expect(starts("appointment", settings, "2027-03-14")).toEqual(["03:00", "03:15", "03:30", "03:45"])
    expect(starts("appointment", settings, "2027-03-15")).toHaveLength(7)
  })

  it("move to the next date if the clock skips them", () => {
    // Nuuk's clocks go from 23:00 on Saturday 2027-03-27 to 00:00 on Sunday.
    const nuuk = Zone.get("America/Nuuk")
    const settings = { hours: [entry(6, 23 * hour, 23 * hour + 2700)], durationMinutes: 15 }
    expect(starts("appointment", settings, "2027-03-27", nuuk)).toEqual([])
    expect(starts("appointment", settings, "2027-03-28", nuuk)).toEqual(["00:00", "00:15", "00:30"])
    expect(starts("appointment", settings, "2027-04-03", nuuk)).toEqual(["23:00", "23:15", "23:30"])
  })

  it("occur twice in a repeated hour", () => {
    expect(starts("appointment", { hours: daily(0, 3 * hour), slotIntervalMinutes: 30 }, "2027-11-07")).toEqual(
      ["00:00", "00:30", "01:00", "01:30", "01:00", "01:30", "02:00"]
    )
  })

  it("do not exist on a skipped date", () => {
    const apia = Zone.get("Pacific/Apia")
    const hours = daily(0, 24 * hour)
    expect(starts("appointment", { hours }, "2011-12-30", apia)).toEqual([])
    expect(starts("appointment", { hours }, "2011-12-29", apia)).toHaveLength(24)
    expect(starts("appointment", { hours: [entry(5, 0, 24 * hour)] }, "2011-12-31", apia)).toEqual([])
  })

  it("let only rentals longer than the window end after it", () => {
    const rental = (durationMinutes: number, periods: number) =>
      starts("rental", { durationMinutes, slotIntervalMinutes: 240 }, "2027-05-01", denver, periods)
    expect(rental(480, 1)).toEqual(["09:00"])
    expect(rental(241, 1)).toEqual(["09:00"])
    expect(rental(240, 2)).toEqual(["09:00"])
    expect(rental(481, 1)).toEqual(["09:00", "13:00"])
    expect(rental(240, 3)).toEqual(["09:00", "13:00"])
  })
})

describe("slotEnd", () => {
  const zone = Zone.get("America/Denver")
  const at = (text: string) => Instant.make(Date.parse(text))

  it("keeps the wall time only for full-day rentals", () => {
    // The clocks go forward on 2027-03-14.
    const noon = at("2027-03-13T12:00:00-07:00")
    const days = (n: number) => ({ periodMinutes: 1440, periods: n })
    expect(computeSlotEnd("rental", zone, noon, days(1))).toBe(at("2027-03-14T12:00:00-06:00"))
    expect(computeSlotEnd("rental", zone, noon, days(3))).toBe(at("2027-03-16T12:00:00-06:00"))
    expect(computeSlotEnd("rental", zone, noon, { periodMinutes: 720, periods: 2 })).toBe(
      at("2027-03-14T13:00:00-06:00")
    )
    expect(computeSlotEnd("appointment", zone, noon, days(1))).toBe(at("2027-03-14T13:00:00-06:00"))
    expect(computeSlotEnd("class", zone, noon, days(1))).toBe(at("2027-03-14T13:00:00-06:00"))
  })
})

describe("notice and horizon", () => {
  it("include start times exactly at their limits", () => {
    const zone = Zone.get("America/Denver")
    const now = Instant.make(Date.parse("2027-05-01T23:30:00-06:00"))
    const { before, from } = getBookableWindow({ minNoticeMinutes: 90, maxAdvanceDays: 1 }, zone, now)
    expect(from).toBe(Date.parse("2027-05-02T01:00:00-06:00"))
    expect(before).toBe(Date.parse("2027-05-03T00:00:00-06:00"))
  })

  it("stay on the new date when the clock goes back past midnight", () => {
    // In 2010, the clocks in St. John's went back from 00:01 on Sunday to 23:01 on Saturday.
    const zone = Zone.get("America/St_Johns")
    const midnight = Instant.make(Date.parse("2010-11-07T00:00:00-02:30"))
    for (const minutes of [0, 1, 30, 60, 61, 1440]) {
      const { before } = getBookableWindow(
        { minNoticeMinutes: 0, maxAdvanceDays: 1 },
        zone,
        Instant.addMinutes(midnight, minutes)
      )
      expect(new Date(before).toISOString()).toBe("2010-11-09T03:30:00.000Z")
    }
  })
})
