/**
 * Trailbook storage on Postgres.
 *
 * @since 0.1.0
 */
export {}
