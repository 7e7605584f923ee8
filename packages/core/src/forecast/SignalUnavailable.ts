/**
 * The reason why an external source returned no data. Callers continue without it: missing data is never a reason to
 * act.
 */

/** The reasons, as text after the name of the source. */
export const reasons = {
  unset: "is not set up",
  unreachable: "could not be reached",
  slow: "did not answer in time",
  limited: "was asked too often",
  refused: "refused the question",
  broken: "failed",
  unreadable: "answered in a form that is not known",
  units: "answered in units that are not known",
  nowhere: "has no data for this location",
  stale: "has nothing recent"
} as const

export type Reason = keyof typeof reasons

export interface SignalUnavailable {
  readonly _tag: "NoSignal"
  /** The name of the source, such as Open-Meteo. */
  readonly source: string
  readonly reason: Reason
}

export const signalUnavailable = (source: string, reason: Reason): SignalUnavailable => ({
  _tag: "NoSignal",
  source,
  reason
})

/** For example, `Open-Meteo did not answer in time.` */
export const format = ({ reason, source }: SignalUnavailable): string => `${source} ${reasons[reason]}.`
