/**
 * Data goes stale. A forecast counts for three hours from when it was read, if it
 * was not made more than twelve hours before: weather services write theirs anew two
 * to four times a day. A reading of a gauge counts for two hours from when it was
 * measured. What is older, or from the future by more than a clock may be wrong, is
 * no signal. Whoever brings data keeps to no clock of ours, so this is looked at where
 * the data is used.
 */
import type { Instant } from "../time/Instant.ts"
import type { Hours } from "./Forecast.ts"
import type { Measurement, River } from "./RiverGauge.ts"
import { type SignalUnavailable, signalUnavailable } from "./SignalUnavailable.ts"

const minuteMs = 60_000

/**
 * How long each counts, in milliseconds.
 *
 * @category constants
 */
export const maxAgeMs = { forecast: 180 * minuteMs, issue: 720 * minuteMs, gauge: 120 * minuteMs } as const

/** Clocks differ by so much at most. */
const aheadMs = 10 * minuteMs

const isFresh = (at: Instant, now: Instant, forMs: number): boolean => at >= now - forMs && at <= now + aheadMs

/**
 * The hours while they count.
 *
 * @category calculating
 */
export const dropStaleHours = (answer: Hours | SignalUnavailable, now: Instant): Hours | SignalUnavailable =>
  answer._tag === "NoSignal" ||
    (isFresh(answer.readAt, now, maxAgeMs.forecast) && isFresh(answer.issuedAt, now, maxAgeMs.issue))
    ? answer
    : signalUnavailable(answer.source, "stale")

/**
 * What is left of a reading when everything too old is left out.
 *
 * @category calculating
 */
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

/** What gauges report when they have nothing to report. */
const noValue = -999_999
