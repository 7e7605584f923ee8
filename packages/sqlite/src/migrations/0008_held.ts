/**
 * The holds of an offering: to end it they are looked for again and again, and an
 * outfitter may have thousands elsewhere. The bookings of a session in the order of
 * a list: a large one is called off page by page.
 */
import { believed } from "./0002_statistics.ts"

export const held: ReadonlyArray<string> = [
  `create index bookings_held_of_offering on bookings (org_id, offering_id, starts_at, id)
    where status = 'held'`,
  `create index bookings_of_session on bookings (org_id, session_id, starts_at, id)
    where session_id is not null`,
  ...believed([["bookings", "bookings_held_of_offering", 1e4, 1000, 50, 1, 1], [
    "bookings",
    "bookings_of_session",
    4e6,
    4000,
    8,
    8,
    1
  ]])
]
