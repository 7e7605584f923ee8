/**
 * All Trailbook stores once, over @effect/sql and a small dialect record.
 *
 * @since 0.1.0
 */
export {}
