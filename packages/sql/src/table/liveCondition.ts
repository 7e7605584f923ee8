/** A condition: the booking lives at a moment, the latest of those given. */
export const liveCondition = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${alias}.status = 'confirmed' or (${alias}.status = 'held' and ${
    moments.map((moment) => `${alias}.expires_at > ${moment}`).join(" and ")
  }))`

/**
 * A condition on a booking that is not cancelled: it is a hold that has ended by the
 * latest of these moments.
 */
export const isExpired = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${moments.map((moment) => `${alias}.expires_at <= ${moment}`).join(" or ")})`
