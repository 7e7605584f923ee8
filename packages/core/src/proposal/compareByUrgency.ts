import type { LimitName } from "../forecast/evaluateLimits.ts"

interface UrgencyFields {
  readonly actions: ReadonlyArray<unknown>
  readonly data: Readonly<Record<string, unknown>>
  readonly expiresAt?: number
  /** The expiry as an API timestamp. */
  readonly expires_at?: string | null
}

/**
 * Orders pending proposals. Actions for a river that exceeds its limit come first, then other actions by deadline, then
 * proposals without an action.
 */
export const compareByUrgency = (a: UrgencyFields, b: UrgencyFields): number =>
  rankOf(a) - rankOf(b) || deadlineOf(a) - deadlineOf(b)

const deadlineOf = ({ expiresAt, expires_at }: UrgencyFields): number => expiresAt ?? Date.parse(expires_at ?? "")

const riverLimits: ReadonlyArray<LimitName> = ["min_flow_cfs", "max_flow_cfs", "min_gage_ft", "max_gage_ft"]

const rankOf = ({ actions, data: { broken } }: UrgencyFields): number => {
  const isRiver = Array.isArray(broken) && riverLimits.some((name) => broken.some(({ limit }) => limit === name))
  return isRiver ? 0 : actions.length > 0 ? 1 : 2
}

/** The length of a window. All pending proposals in a window share one email. */
export const waitingWindowMs = 5 * 60_000

/** Returns the window that contains the given time. */
export const getWaitingWindow = (moment: number): number => Math.floor(moment / waitingWindowMs)
