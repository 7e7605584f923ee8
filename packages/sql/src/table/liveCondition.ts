/** Returns a condition that is true if the booking is live at the latest of these times. */
export const liveCondition = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${alias}.status = 'confirmed' or (${alias}.status = 'held' and ${
    moments.map((moment) => `${alias}.expires_at > ${moment}`).join(" and ")
  }))`

/**
 * Returns a condition that is true if the hold has expired at the latest of these times. The booking must not be
 * canceled.
 */
export const isExpired = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${moments.map((moment) => `${alias}.expires_at <= ${moment}`).join(" or ")})`
