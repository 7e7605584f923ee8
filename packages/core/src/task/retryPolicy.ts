/**
 * How long a task that fails is tried again: after 1, 2, 4 … minutes, at most 6
 * hours apart. Time counts from the first attempt, by what is waited between
 * attempts: a task that waited while no worker ran has all of its time left.
 */

/**
 * How many minutes to wait after a failure that so many others came before.
 *
 * @category calculating
 */
export const retryDelayMinutes = (attempts: number): number => Math.min(2 ** attempts, 360)

/**
 * How many minutes a task had been tried for at the attempt that so many failures
 * came before.
 *
 * @category calculating
 */
export const elapsedMinutes = (attempts: number): number => {
  const doubled = Math.min(attempts, 9)
  return 2 ** doubled - 1 + 360 * (attempts - doubled)
}

/**
 * A mail server tries for 4 to 5 days before it gives a mail up (RFC 5321, 4.5.4.1).
 *
 * @category constants
 */
export const mailRetryLimit = 5 * 24 * 60

/**
 * So many failures take a day. Then people should look at a task, whether it is
 * given up or not.
 *
 * @category constants
 */
export const failuresOfADay = 13

/**
 * How long a task that was given up is kept, for somebody to start it again.
 *
 * @category constants
 */
export const keptForDays = 30
