/**
 * Why a question to the outside has no answer. Whoever asked goes on without one:
 * missing data is never a reason to act.
 */

/**
 * The reasons, each in words that go on after the name of what was asked.
 *
 * @category constants
 */
export const reasons = {
  unset: "is not set up",
  unreachable: "could not be reached",
  slow: "did not answer in time",
  limited: "was asked too often",
  refused: "refused the question",
  broken: "failed",
  unreadable: "answered in a form that is not known",
  units: "answered in units that are not known",
  nowhere: "knows nothing of this place",
  stale: "has nothing recent"
} as const

/**
 * @category models
 */
export type Reason = keyof typeof reasons

/**
 * @category models
 */
export interface SignalUnavailable {
  readonly _tag: "NoSignal"
  /** Who was asked, such as Open-Meteo. */
  readonly source: string
  readonly reason: Reason
}

/**
 * @category constructors
 */
export const signalUnavailable = (source: string, reason: Reason): SignalUnavailable => ({
  _tag: "NoSignal",
  source,
  reason
})

/**
 * `Open-Meteo did not answer in time.`
 *
 * @category formatting
 */
export const format = ({ reason, source }: SignalUnavailable): string => `${source} ${reasons[reason]}.`
