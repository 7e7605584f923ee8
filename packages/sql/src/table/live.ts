/**
 * @since 0.1.0
 */

/**
 * A condition: the booking lives at a moment (decision 2.1).
 *
 * @since 0.1.0
 * @category SQL
 */
export const live = (alias: string, now: `$${number}`): string =>
  `(${alias}.status = 'confirmed' or (${alias}.status = 'held' and ${alias}.expires_at > ${now}))`
