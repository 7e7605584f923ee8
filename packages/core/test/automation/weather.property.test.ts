import { proposeWeatherActions } from "@trailbook/core/automation/weatherRules"
import { makeSignalUnavailable } from "@trailbook/core/forecast/Signals"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { hideReadings, hoursFrom, limits, readings, river, weatherOf } from "../forecast/readings.ts"
import { nine, party, trip, voice } from "./trips.ts"

const dayBefore = Instant.addMinutes(nine, -24 * 60)
const settings = (limits: object, offerings = {}) => ({ default: limits, offerings })
const gusts = (value: number | null, hours = 3) =>
  weatherOf(hoursFrom(
    nine,
    Array.from({ length: hours }, () => ({
      tempC: 20,
      windKph: 5,
      gustKph: value,
      precipMm: 0,
      precipPct: 0,
      thunder: false
    }))
  ))

/**
 * Hiding data never causes a proposal that the complete data would not. `visiblePart` returns the data that is still
 * visible.
 */
const careful = (visiblePart: (weather: Weather) => Weather) => {
  const some = FastCheck.array(readings(4), { minLength: 1, maxLength: 3 })
  return FastCheck.property(limits, some, FastCheck.infiniteStream(FastCheck.boolean()), (limits, days, coin) => {
    const trips = days.map((readings, at) =>
      trip({ sessionId: `s${at}`, weather: weatherOf(hoursFrom(nine, readings)), river })
    )
    const partialTrips = trips.map((trip) => ({
      ...trip,
      weather: visiblePart(
        trip.weather._tag === "Hours" ? weatherOf(hideReadings(trip.weather.hours, coin)) : trip.weather
      ),
      river: coin.next().value === true ? river : makeSignalUnavailable("River", "stale" as const)
    }))
    const subjects = (trips: Parameters<typeof proposeWeatherActions>[0]["trips"]) =>
      proposeWeatherActions({ sender: voice, trips }, settings(limits), dayBefore).map(({ subject }) => subject)
    const all = subjects(trips)
    for (const subject of subjects(partialTrips)) expect(all).toContain(subject)
    const unknownTrips = trips.map((trip) => ({
      ...trip,
      weather: makeSignalUnavailable("Sky", "slow"),
      river: makeSignalUnavailable("River", "slow")
    }))
    expect(subjects(unknownTrips)).toEqual([])
  })
}

type Weather = ReturnType<typeof trip>["weather"]

it("with incomplete data, cancels no trip that would be kept with complete data", () => {
  FastCheck.assert(careful((weather) => weather), { numRuns: 300 })
})

it("shows that missing values must not be treated as 0", () => {
  const zeros = (weather: Weather): Weather =>
    weather._tag !== "Hours" ? weather : {
      ...weather,
      hours: weather.hours.map((hour) => ({
        ...hour,
        tempC: hour.tempC ?? 0,
        windKph: hour.windKph ?? 0,
        gustKph: hour.gustKph ?? 0,
        precipMm: hour.precipMm ?? 0,
        precipPct: hour.precipPct ?? 0
      }))
    }
  expect(FastCheck.check(careful(zeros), { numRuns: 10_000 }).failed).toBe(true)
})

it("notifies guests of the reason and the refund before it cancels a session", () => {
  const parties = [party("b1", { refundCents: 5000 }), party("b2", { refundCents: 2500, quantity: 3 })]
  const [call, ...others] = proposeWeatherActions(
    { sender: voice, trips: [trip({ parties, weather: gusts(72) })] },
    settings({ max_gust_kph: 60 }),
    dayBefore
  )
  expect(others).toEqual([])
  expect(call).toMatchObject({
    automation: "weather",
    subject: "session:s1",
    sessionId: "s1",
    bookingId: null,
    title: "Cancel Rafting, Sat, Jun 6 at 9:00 AM: gusts of 72 km/h (limit 60)",
    expiresAt: nine
  })
  expect(call?.actions.map(({ kind, op }) => [kind, op])).toEqual([
    ["message", "messages.broadcast"],
    ["cancel_session", "sessions.cancel"]
  ])
  expect(call?.actions[0]?.input).toMatchObject({ target: { session_id: "s1" }, subject: "Canceled: Rafting" })
  expect(call?.actions[0]?.facts.body).toContain(
    "We had to cancel Rafting on Sat, Jun 6 at 9:00 AM because of strong gusts of wind"
  )
  expect(call?.actions[1]).toMatchObject({ money: true, facts: { refund_cents: 7500, guests: 4 } })
})

const owed = (cents: number, currency = "usd") => ({ owed: { cents, currency } })
const isDisputed = { isDisputed: true }

it.each([
  {
    rule: "names the money that was paid at the desk, which the cancellation does not refund",
    parties: [party("b1", owed(3000)), party("b2", owed(4550)), party("b3", owed(500, "eur")), party("b4")],
    ofBooking: "$30.00 paid at the desk is owed to guests and is not refunded automatically.",
    ofSession: "$75.50 and €5.00 paid at the desk is owed to guests and is not refunded automatically."
  },
  {
    rule: "warns if the cancellation does not refund a payment because of a dispute",
    parties: [party("b1", isDisputed), party("b2", isDisputed), party("b3")],
    ofBooking: "1 payment is disputed by the guest's bank and will not be refunded.",
    ofSession: "2 payments are disputed by the guest's bank and will not be refunded."
  }
])("$rule", ({ ofBooking, ofSession, parties }) => {
  for (const sessionId of ["s1", null]) {
    const [call] = proposeWeatherActions(
      { sender: voice, trips: [trip({ sessionId, parties, weather: gusts(72) })] },
      settings({ max_gust_kph: 60 }),
      dayBefore
    )
    const cancel = call?.actions.find(({ kind }) => kind.startsWith("cancel"))
    expect(cancel?.facts.reason).toBe(
      `Because of gusts of 72 km/h (limit 60). Warning: ${sessionId === null ? ofBooking : ofSession}`
    )
  }
})

it("states the reason in the outfitter's units, with enough digits to differ from the limit", () => {
  const titleOf = (limits: Parameters<typeof settings>[0], weather: ReturnType<typeof gusts>) =>
    proposeWeatherActions(
      { sender: { ...voice, units: "us" }, trips: [trip({ weather })] },
      settings(limits),
      dayBefore
    )
      .map(({ title }) => title.replace(/^.*?: /, ""))
  expect(titleOf({ max_gust_kph: 60 }, gusts(72))).toEqual(["gusts of 44.7 mph (limit 37.3)"])
  expect(titleOf({ max_gust_kph: 60 }, gusts(60.02))).toEqual(["gusts of 37.29 mph (limit 37.28)"])
})

it("uses the offering's limits instead of the defaults", () => {
  const trips = [trip({ weather: gusts(72) })]
  const count = (limits: object, offerings: object, now = dayBefore) =>
    proposeWeatherActions({ sender: voice, trips }, settings(limits, offerings), now).length
  expect(count({ max_gust_kph: 60 }, {})).toBe(1)
  expect(count({ max_gust_kph: 60 }, { o1: { max_gust_kph: 80 } })).toBe(0)
  expect(count({ max_gust_kph: 60 }, { o1: { max_gust_kph: null } })).toBe(0)
  expect(count({ max_gust_kph: 60 }, { o1: { max_temp_c: 50 } })).toBe(1)
  expect(count({ max_gust_kph: 60 }, { o2: { max_gust_kph: 80 } })).toBe(1)
  expect(count({ max_gust_kph: 72 }, {})).toBe(0)
  expect(count({}, {})).toBe(0)
  const at = (hours: number) => Instant.addMinutes(nine, -hours * 60)
  expect(count({ max_gust_kph: 60 }, {}, at(48))).toBe(1)
  expect(count({ max_gust_kph: 60 }, {}, Instant.make(at(48) - 1))).toBe(0)
  expect(count({ max_gust_kph: 60, look_ahead_hours: 72 }, {}, at(72))).toBe(1)
  expect(count({ max_gust_kph: 60 }, {}, nine)).toBe(0)
})

it("moves a booking to the first later day with room and good weather", () => {
  const day = (days: number) => Instant.addMinutes(nine, days * 24 * 60)
  const reading = (gustKph: number | null) => ({
    tempC: 20,
    windKph: 5,
    gustKph,
    precipMm: 0,
    precipPct: 0,
    thunder: false
  })
  const days: ReadonlyArray<number | null> = [72, 72, 10, null, 10]
  const weather = weatherOf(days.flatMap((gust, at) => hoursFrom(day(at), [reading(gust), reading(gust)])))
  const rental = { sessionId: null, kind: "rental" as const, weather, parties: [party("b1", { refundCents: 100 })] }
  const callWith = (openStarts: ReadonlyArray<Instant.Instant>, action: "move" | "cancel" = "move") =>
    proposeWeatherActions(
      { sender: voice, trips: [trip({ ...rental, openStarts })] },
      settings({ max_gust_kph: 60, action }),
      dayBefore
    )[0]
  const open = [1, 2, 3, 4].map(day)
  expect(callWith(open)?.actions[0]).toMatchObject({
    kind: "move_booking",
    op: "bookings.move",
    input: { id: "b1", starts_at: Instant.format(day(2)) }
  })
  // Day 2 is full, day 3 has no gust data, and day 5 has no data at all.
  expect(callWith([day(1), day(3), day(4)])?.actions[0]?.input).toEqual({
    id: "b1",
    starts_at: Instant.format(day(4))
  })
  for (const none of [callWith([day(1), day(3), day(5)]), callWith(open, "cancel")]) {
    expect(none?.actions.map(({ kind }) => kind)).toEqual(["cancel_booking", "message"])
    expect(none?.actions[0]).toMatchObject({ money: true, facts: { refund_cents: 100 } })
    expect(none?.bookingId).toBe("b1")
  }
})

it("sends no message to a guest who has no contact address", () => {
  const call = (parties: Parameters<typeof trip>[0]) =>
    proposeWeatherActions(
      { sender: voice, trips: [trip({ weather: gusts(72), ...parties })] },
      settings({ max_gust_kph: 60 }),
      dayBefore
    )[0]
      ?.actions.map(({ kind }) => kind)
  expect(call({ parties: [] })).toEqual(["cancel_session"])
  expect(call({ parties: [party("b1", { reachable: false }), party("b2", { confirmed: false })] })).toEqual([
    "cancel_session"
  ])
  expect(call({ sessionId: null, parties: [party("b1", { reachable: false })] })).toEqual(["cancel_booking"])
})
