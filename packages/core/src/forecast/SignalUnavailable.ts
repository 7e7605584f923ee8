/**
 * Why an external source returned no data. Callers continue without the data, because missing data is never a reason to
 * act.
 */

/** The reasons, as text that follows the source's name. */
export const signalUnavailableReasons = {
  unset: "is not configured",
  unreachable: "is unreachable",
  slow: "did not respond in time",
  limited: "rejected the request because of its rate limit",
  refused: "rejected the request",
  broken: "failed",
  unreadable: "returned data in an unknown format",
  units: "returned data in unknown units",
  nowhere: "has no data for this location",
  stale: "has no recent data"
} as const

export type SignalUnavailableReason = keyof typeof signalUnavailableReasons

export interface SignalUnavailable {
  readonly _tag: "NoSignal"
  /** The source's name, such as Open-Meteo. */
  readonly source: string
  readonly reason: SignalUnavailableReason
}

export const signalUnavailable = (source: string, reason: SignalUnavailableReason): SignalUnavailable => ({
  _tag: "NoSignal",
  source,
  reason
})

/** Formats the reason as a sentence, such as `Open-Meteo did not respond in time.` */
export const formatSignalUnavailable = ({ reason, source }: SignalUnavailable): string =>
  `${source} ${signalUnavailableReasons[reason]}.`
