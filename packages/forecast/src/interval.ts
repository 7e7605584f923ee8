import * as Instant from "@trailbook/core/time/Instant"

export interface Interval {
  readonly from: Instant.Instant
  readonly to: Instant.Instant
}

/**
 * Parses an ISO 8601 interval with a start and a duration in days, hours, and minutes, such as
 * `2026-06-06T15:00:00+00:00/P1DT6H`. Returns undefined for any other text, for an empty interval, and for an
 * interval of more than three weeks, which exceeds every forecast.
 */
export const parseInterval = (text: unknown): Interval | undefined => {
  if (typeof text !== "string") return undefined
  const [start = "", length = "", ...more] = text.split("/")
  const from = Instant.parse(start)
  const match = pattern.exec(length)
  if (from === undefined || match === null || more.length > 0) return undefined
  const [, days = "0", hours = "0", minutes = "0"] = match
  const total = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes)
  return total > 0 && total <= maxMinutes ? { from, to: Instant.addMinutes(from, total) } : undefined
}

const pattern = /^P(?:(\d{1,3})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?)?$/

const maxMinutes = 21 * 24 * 60
