/**
 * Adds the confirmation time and the last change time to each booking. Existing bookings take these times from their
 * events, or from their creation time if they have no events.
 */
export const bookingTimes: ReadonlyArray<string> = [
  "alter table bookings add column confirmed_at integer",
  "alter table bookings add column updated_at integer not null default 0",
  `update bookings set updated_at = max(created_at, coalesce(cancelled_at, 0), coalesce(refund_at, 0),
      coalesce(disputed_at, 0)), confirmed_at = case when status = 'confirmed' then created_at end`,
  `update bookings set confirmed_at = coalesce(told.confirmed_at, bookings.confirmed_at),
      updated_at = max(bookings.updated_at, told.at)
    from (
      select org_id, json_extract(data, '$.id') as id, max(created_at) as at,
        min(case when type = 'booking.confirmed' then created_at end) as confirmed_at
      from events where type in ('booking.held', 'booking.confirmed', 'booking.moved', 'booking.cancelled') group by 1, 2
    ) as told
    where told.org_id = bookings.org_id and told.id = bookings.id`
]
