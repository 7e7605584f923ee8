/**
 * Decides when a failed task is retried. The delays are 1, 2, 4 … minutes, up to 6 hours. The elapsed time is the sum
 * of the delays since the first attempt, so worker downtime does not count.
 */

/** Returns the delay after a failure, in minutes. `attempts` is the number of earlier failures. */
export const getRetryDelayMinutes = (attempts: number): number => Math.min(2 ** attempts, 360)

/** Returns the number of minutes between the first attempt and the attempt that follows `attempts` failures. */
export const getElapsedMinutes = (attempts: number): number => {
  const doubled = Math.min(attempts, 9)
  return 2 ** doubled - 1 + 360 * (attempts - doubled)
}

/** Mail servers retry for 4 to 5 days (RFC 5321, 4.5.4.1). */
export const mailRetryLimitMinutes = 5 * 24 * 60

/**
 * The number of failures that a task accumulates in about a day. A task with this many failures needs attention, even
 * if it is still being retried.
 */
export const failuresPerDay = 13

/** The number of days that a permanently failed task is kept for a manual retry. */
export const failedTaskRetentionDays = 30
