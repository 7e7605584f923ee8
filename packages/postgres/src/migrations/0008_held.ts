/**
 * The holds of an offering: to end it they are looked for again and again, and an
 * outfitter may have thousands elsewhere.
 */

export const held = (schema: string): ReadonlyArray<string> => [
  `create index bookings_held_of_offering on "${schema}".bookings (org_id, offering_id, starts_at, id)
    where status = 'held'`
]
