import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import type { OfferingSetup } from "./OfferingSetup.ts"
import { parseTimestamp } from "./World.ts"

const hourMs = 3_600_000
const hoursPerWeek = 168
const weeksPerYear = 53

/** Returns the DST transitions within a year of an instant, to the hour. */
export const findClockChanges = (zone: Zone.Zone, from: Instant.Instant): ReadonlyArray<Instant.Instant> => {
  const first = Math.floor(from / hourMs)
  const offsetAt = (hour: number) => zone.offsetAt(Instant.make(hour * hourMs))
  // Search in one-week steps, because some zones change their clocks and change them back within a month.
  return Array.from({ length: weeksPerYear }, (_, week) => first + week * hoursPerWeek).flatMap((start) => {
    if (offsetAt(start) === offsetAt(start + hoursPerWeek)) return []
    let [before, after] = [start, start + hoursPerWeek]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offsetAt(start)) before = middle
      else after = middle
    }
    return [Instant.make(after * hourMs)]
  })
}

/**
 * Generates the start times of scenarios. A scenario starts 1 to 30 hours before a session, a DST transition, or an
 * ordinary day. In some scenarios, an offering's notice is added to these hours.
 */
export const startTimeArbitrary = (outfit: OfferingSetup): FastCheck.Arbitrary<Instant.Instant> => {
  const sessions = outfit.offerings.flatMap(({ sessions = [] }) =>
    sessions.map(({ starts_at }) => parseTimestamp(starts_at))
  )
  const first = sessions.length === 0 ? Instant.make(Date.UTC(2027, 0, 1)) : Instant.make(Math.min(...sessions))
  const from = outfit.from === undefined ? first : parseTimestamp(outfit.from)
  const changes = findClockChanges(Zone.get(outfit.timezone), from)
  // A class with configured sessions cannot be booked on other days.
  const hasFixedStarts = sessions.length > 0 &&
    outfit.offerings.every((offering) => offering.kind === "class" && offering.sessions !== undefined)
  const anchors = hasFixedStarts
    ? [FastCheck.constantFrom(...sessions)]
    : [[from], changes, sessions].filter(({ length }) => length > 0).map((some) => FastCheck.constantFrom(...some))
  const notices = outfit.offerings.map(({ min_notice_minutes = 0 }) => min_notice_minutes)
  return FastCheck.tuple(
    FastCheck.oneof({ withCrossShrink: true }, ...anchors),
    FastCheck.constantFrom(1, 12, 24, 30),
    FastCheck.constantFrom(...new Set([0, ...notices]))
  ).map(([anchor, hours, noticeMinutes]) => Instant.make(anchor - hours * hourMs - noticeMinutes * 60_000))
}
