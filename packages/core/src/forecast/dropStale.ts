/**
 * Drops stale data. A forecast is valid for 3 hours after it was read, if it was issued in the last 12 hours. Weather
 * services update their forecasts two to four times a day. A gauge reading is valid for 2 hours after its measurement.
 * Older data is dropped, and so is data that is ahead of the clock by more than the tolerance. Sources can cache data
 * for any length of time, so its age is checked where it is used.
 */
import type { Instant } from "../time/Instant.ts"
import type { Hours } from "./Forecast.ts"
import type { Measurement, River } from "./RiverGauge.ts"
import { type SignalUnavailable, signalUnavailable } from "./SignalUnavailable.ts"

const minuteMs = 60_000

/** The maximum age for each kind of data, in milliseconds. */
export const maxAgeMs = { forecast: 180 * minuteMs, issue: 720 * minuteMs, gauge: 120 * minuteMs } as const

/** The tolerance for clock differences. */
const aheadMs = 10 * minuteMs

const isFresh = (at: Instant, now: Instant, forMs: number): boolean => at >= now - forMs && at <= now + aheadMs

/** Returns the forecast, unless it is stale. */
export const dropStaleHours = (answer: Hours | SignalUnavailable, now: Instant): Hours | SignalUnavailable =>
  answer._tag === "NoSignal" ||
    (isFresh(answer.readAt, now, maxAgeMs.forecast) && isFresh(answer.issuedAt, now, maxAgeMs.issue))
    ? answer
    : signalUnavailable(answer.source, "stale")

/** Removes stale values from a reading. */
export const freshRiver = (answer: River | SignalUnavailable, now: Instant): River | SignalUnavailable => {
  if (answer._tag === "NoSignal") return answer
  const counts = (measured: Measurement | null): Measurement | null =>
    measured !== null && Number.isFinite(measured.value) && measured.value !== noValue &&
      isFresh(measured.at, now, maxAgeMs.gauge)
      ? measured
      : null
  const flowCfs = counts(answer.flowCfs)
  const gageFt = counts(answer.gageFt)
  return flowCfs === null && gageFt === null
    ? signalUnavailable(answer.source, "stale")
    : { ...answer, flowCfs, gageFt }
}

/** The value that gauges report if they have no data. */
const noValue = -999_999
