/**
 * The holds of an offering: to end it they are looked for again and again, and an
 * outfitter may have thousands elsewhere.
 *
 * @since 0.1.0
 */
import { believed } from "./0002_statistics.ts"

export const held: ReadonlyArray<string> = [
  `create index bookings_held_of_offering on bookings (org_id, offering_id, starts_at, id)
    where status = 'held'`,
  ...believed([["bookings", "bookings_held_of_offering", 1e4, 1000, 50, 1, 1]])
]
