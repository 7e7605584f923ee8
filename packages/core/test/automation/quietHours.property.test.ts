import { decideAutonomy, findQuietHoursEnd, isInQuietHours } from "@trailbook/core/automation/autonomyLimits"
import * as Instant from "@trailbook/core/time/Instant"
import { get } from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const hour = FastCheck.integer({ min: 0, max: 23 })
const quiet = FastCheck.record({ quietFrom: hour, quietTo: hour })

/**
 * Zones with DST changes of an hour, of half an hour, or across midnight, zones without changes, and a zone that
 * skipped a date.
 */
const zone = FastCheck.constantFrom(
  "America/Denver",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "America/Havana",
  "Africa/Casablanca",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "UTC"
)

/** Includes instants near DST changes. */
const instant = FastCheck.oneof(
  FastCheck.integer({ min: Date.UTC(2011, 0), max: Date.UTC(2028, 0) }),
  FastCheck.constantFrom(
    Date.UTC(2026, 2, 8, 9),
    Date.UTC(2026, 10, 1, 8),
    Date.UTC(2026, 2, 29, 1),
    Date.UTC(2026, 9, 25, 1),
    Date.UTC(2026, 3, 4, 15),
    Date.UTC(2026, 9, 3, 15, 30),
    Date.UTC(2026, 2, 8, 5),
    Date.UTC(2026, 10, 1, 5),
    Date.UTC(2011, 11, 30, 10)
  ).chain((at) => FastCheck.integer({ min: at - 36 * 3_600_000, max: at + 36 * 3_600_000 }))
).map((at) => Instant.make(at - at % 60_000))

/** A second implementation, based on the hour that the runtime formats. */
const shownHour = (timeZone: string, at: number): number =>
  Number(new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", hourCycle: "h23" }).format(at))

const isQuietBy = (timeZone: string, { quietFrom, quietTo }: { quietFrom: number; quietTo: number }, at: number) => {
  const hours: Array<number> = []
  for (let hour = quietFrom; hour !== quietTo; hour = (hour + 1) % 24) hours.push(hour)
  return hours.includes(shownHour(timeZone, at))
}

it("determines quiet hours by local time, even across midnight and clock changes", () => {
  FastCheck.assert(
    FastCheck.property(quiet, zone, instant, (hours, zone, at) => {
      expect(isInQuietHours(hours, get(zone), at)).toBe(isQuietBy(zone, hours, at))
    }),
    { numRuns: 1000 }
  )
})

it("returns the same end of quiet hours as a minute-by-minute search", () => {
  FastCheck.assert(
    FastCheck.property(quiet, zone, instant, (hours, name, at) => {
      const zone = get(name)
      let expected = at
      while (isInQuietHours(hours, zone, expected)) expected = Instant.addMinutes(expected, 1)
      const end = findQuietHoursEnd(hours, zone, at)
      expect(isInQuietHours(hours, zone, end)).toBe(false)
      expect(end - expected).toBe(0)
    }),
    { numRuns: 300 }
  )
})

const reminder = {
  kind: "remind" as const,
  op: "messages.send",
  input: {},
  facts: { why: "before_24h" as const, reason: "" }
}

it("sends no automatic message to guests during quiet hours in any time zone", () => {
  FastCheck.assert(
    FastCheck.property(quiet, zone, instant, FastCheck.integer({ min: 1, max: 40 }), (hours, name, now, halfHours) => {
      const start = decideAutonomy({
        dial: "do_quiet",
        actions: [reminder],
        expiresAt: Instant.addMinutes(now, halfHours * 30),
        guards: { ...hours, opsDailyCap: 1, refundCeilingCents: null },
        recentRunCount: 0,
        zone: get(name),
        now
      })
      if (start._tag === "Runs") {
        expect(isQuietBy(name, hours, start.at)).toBe(false)
        expect(start.at).toBeGreaterThanOrEqual(now)
        expect(start.at).toBeLessThan(now + halfHours * 30 * 60_000)
      } else expect(isQuietBy(name, hours, now)).toBe(true)
    }),
    { numRuns: 500 }
  )
})

it("shows that quiet hours in UTC would let messages reach guests at night", () => {
  const hours = { quietFrom: 21, quietTo: 7 }
  const threeInDenver = Instant.make(Date.UTC(2026, 5, 6, 9))
  expect(isInQuietHours(hours, get("UTC"), threeInDenver)).toBe(false)
  expect(isInQuietHours(hours, get("America/Denver"), threeInDenver)).toBe(true)
})

it("requires staff approval above the daily action cap or the refund limit", () => {
  const cancel = {
    kind: "cancel_session" as const,
    op: "sessions.cancel",
    input: {},
    facts: { why: "weather" as const, reason: "", refund_cents: 5000 },
    money: true as const
  }
  const now = Instant.make(Date.UTC(2026, 5, 6, 18))
  const input = {
    dial: "do_tell" as const,
    actions: [cancel, cancel],
    expiresAt: Instant.addMinutes(now, 60),
    guards: { quietFrom: 21, quietTo: 7, opsDailyCap: 20, refundCeilingCents: 10_000 },
    recentRunCount: 19,
    zone: get("UTC"),
    now
  }
  expect(decideAutonomy(input)).toEqual({ _tag: "Runs", at: now })
  expect(decideAutonomy({ ...input, dial: "ask" })).toEqual({ _tag: "Waits", held: null })
  expect(decideAutonomy({ ...input, recentRunCount: 20 })).toEqual({ _tag: "Waits", held: "cap" })
  // The sum exceeds the ceiling, but no single amount does.
  expect(decideAutonomy({ ...input, guards: { ...input.guards, refundCeilingCents: 9999 } })).toEqual({
    _tag: "Waits",
    held: "money"
  })
  expect(decideAutonomy({ ...input, guards: { ...input.guards, refundCeilingCents: null } })).toEqual({
    _tag: "Waits",
    held: "money"
  })
  // At night, the proposal waits until morning, or for approval if it would have expired by then.
  const night = Instant.make(Date.UTC(2026, 5, 6, 23))
  const morning = Instant.make(Date.UTC(2026, 5, 7, 7))
  expect(decideAutonomy({ ...input, now: night, expiresAt: Instant.addMinutes(morning, 1) })).toEqual({
    _tag: "Runs",
    at: morning
  })
  expect(decideAutonomy({ ...input, now: night, expiresAt: morning })).toEqual({ _tag: "Waits", held: null })
})
