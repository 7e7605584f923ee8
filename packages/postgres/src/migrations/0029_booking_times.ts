/**
 * Adds the confirmation time and the last change time to each booking. Existing bookings take these times from their
 * events, or from their creation time if they have no events.
 */
export const bookingTimes = (schema: string): ReadonlyArray<string> => {
  const table = (name: string) => `"${schema}".${name}`
  return [
    `alter table ${table("bookings")} add column confirmed_at bigint, add column updated_at bigint`,
    `update ${table("bookings")} as b set
        confirmed_at = coalesce(told.confirmed_at, case when b.status = 'confirmed' then b.created_at end),
        updated_at = greatest(b.created_at, b.cancelled_at, b.refund_at, b.disputed_at, told.at)
      from ${table("bookings")} as own left join (
        select org_id, data ->> 'id' as id, max(created_at) as at,
          min(created_at) filter (where type = 'booking.confirmed') as confirmed_at
        from ${table("events")}
        where type in ('booking.held', 'booking.confirmed', 'booking.moved', 'booking.cancelled') group by 1, 2
      ) as told on told.org_id = own.org_id and told.id = own.id
      where own.org_id = b.org_id and own.id = b.id`,
    `alter table ${table("bookings")} alter column updated_at set not null`
  ]
}
