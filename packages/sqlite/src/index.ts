/**
 * Trailbook storage on SQLite.
 *
 * @since 0.1.0
 */
export {}
