import { type BriefTrip, proposeBrief } from "@trailbook/core/automation/morningBrief"
import { makeSignalUnavailable } from "@trailbook/core/forecast/Signals"
import * as Instant from "@trailbook/core/time/Instant"
import { expect, it } from "vitest"
import { hoursFrom, river, weatherOf } from "../forecast/readings.ts"
import { nine, party, trip, voice } from "./trips.ts"

const six = Instant.addMinutes(nine, -180)
const hours = hoursFrom(nine, [
  { tempC: 11, windKph: 10, gustKph: null, precipMm: 0, precipPct: 20, thunder: false },
  { tempC: 17, windKph: 22, gustKph: null, precipMm: 0, precipPct: 10, thunder: null }
])
const today: BriefTrip = {
  ...trip({ parties: [party("b1", { quantity: 3 }), party("b2")] }),
  weather: weatherOf(hours),
  river: makeSignalUnavailable("USGS", "stale"),
  broken: []
}
const briefAt = (
  now: Instant.Instant,
  trips: ReadonlyArray<BriefTrip> = [today],
  see_you = true,
  hasReminders = false
) =>
  proposeBrief(
    {
      seeYouAt: now,
      hasReminders,
      sender: voice,
      briefHour: 6,
      trips,
      unanswered: [{ conversationId: "c1", since: six }]
    },
    { see_you },
    now
  )

it("proposes a morning brief from the configured hour until local midnight", () => {
  expect(briefAt(Instant.make(six - 1))).toEqual([])
  expect(briefAt(six)).toHaveLength(1)
  const [late] = briefAt(Instant.addMinutes(six, 17 * 60))
  expect(late?.day).toBe(20610)
  expect(late?.expiresAt).toBe(Date.UTC(2026, 5, 7, 6))
  expect(briefAt(Instant.addMinutes(six, 18 * 60))).toEqual([])
})

it("lists the day's trips, unanswered guests, and weather", () => {
  const [brief] = briefAt(six)
  expect(brief?.title).toBe("Sat, Jun 6: 1 trip, 4 guests, 1 unanswered")
  expect(brief?.data).toMatchObject({
    trips: [{ offering: "Rafting", bookings: 2, guests: 4, session_id: "s1" }],
    unanswered: [{ conversation_id: "c1" }],
    weather: [{
      temp_c: [11, 17],
      wind_kph: 22,
      gust_kph: null,
      precip_pct: 20,
      thunder: false,
      flow_cfs: null,
      missing: ["USGS has no recent data."],
      attribution: [{ text: "Sky" }]
    }]
  })
  expect(briefAt(six, [{ ...today, weather: undefined, river }])[0]?.data).toMatchObject({
    weather: [{ temp_c: null, flow_cfs: 900, gage_ft: 4, missing: [], attribution: [{ text: "River" }] }]
  })
  const brokenLimits = [{ limit: "max_flow_cfs", bound: 800, value: 900 }] as const
  expect(briefAt(six, [{ ...today, river, broken: brokenLimits }])[0]?.data).toMatchObject({
    weather: [{ outside_limits: ["a river flow of 900 cfs (limit 800)"] }]
  })
  expect(briefAt(six, [{ ...today, weather: undefined, river: undefined }])[0]?.data.weather).toEqual([])
})

it("proposes a message to the day's guests unless all trips have started", () => {
  const notes = (...args: Parameters<typeof briefAt>) => briefAt(...args)[0]?.actions.map(({ input }) => input)
  expect(notes(six)).toMatchObject([{ target: { date: "2026-06-06" }, subject: "See you today at Salida River Co." }])
  expect(notes(six, [today], false)).toEqual([])
  expect(notes(six, [])).toEqual([])
  expect(notes(nine)).toEqual([])
  expect(notes(six, [{ ...today, parties: [party("b1", { reachable: false })] }])).toEqual([])
})

it("proposes the message only for guests without an imminent 2-hour reminder", () => {
  const later = {
    ...today,
    sessionId: "s2",
    startsAt: Instant.make(nine + 1),
    parties: [party("b3"), party("b4", { customerId: "customer of b1" }), party("b5", { customerId: "customer of b3" })]
  }
  const inputs = (...trips: ReadonlyArray<BriefTrip>) =>
    briefAt(six, trips, true, true)[0]?.actions.map(({ input }) => input)
  expect(inputs(today)).toEqual([])
  expect(inputs(later)).toMatchObject([{ target: { date: "2026-06-06" } }])
  expect(inputs(today, later)).toMatchObject([{ booking_id: "b3" }])
})
