/** A condition: the booking is live at the latest of these times. */
export const liveCondition = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${alias}.status = 'confirmed' or (${alias}.status = 'held' and ${
    moments.map((moment) => `${alias}.expires_at > ${moment}`).join(" and ")
  }))`

/** A condition for a booking that is not canceled: it is a hold that has expired by the latest of these times. */
export const isExpired = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${moments.map((moment) => `${alias}.expires_at <= ${moment}`).join(" or ")})`
