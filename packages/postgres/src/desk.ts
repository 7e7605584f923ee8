/**
 * @since 0.1.0
 */
import { turn } from "@trailbook/sql/turn"

/**
 * How bookings are sold on Postgres: on two lanes, so that one decides while the
 * other's commit is written, up to 64 together. While they run, whoever comes is
 * gathered. A free lane gives the event loop turns first: those who got their
 * answers from one batch ask again at the same moment, and the first of them
 * would go alone.
 *
 * @since 0.1.0
 * @category models
 */
export const desk = { lanes: 2, batch: 64, gather: turn }
