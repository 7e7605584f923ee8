/**
 * Reads the bookings whose guests were not reached, as defined by `findUnreachedGuest`. For each booking, two partial
 * indexes show whether a message failed and whether an address bounced.
 */
import type { UnreachedGuest, UnreachedQuery } from "@trailbook/core/conversation"
import { placeholderEmail } from "@trailbook/core/customer/Customer"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"

interface Row {
  readonly id: string
  readonly bounced_at: Instant | null
  readonly failed_at: Instant | null
  readonly failure: string | null
  readonly created_at: Instant
}

const hasFailedCondition = (alias: string) =>
  `(${alias}.failed_at is not null and (${alias}.delivered_at is null or ${alias}.delivered_at <= ${alias}.failed_at))`

/**
 * The placeholder email of a guest without an address. The lookup reads only the index on emails, not every guest's
 * row. The expression is null for bookings with an email in their contact details, so that they skip the lookup.
 */
const placeholder = `case when coalesce(b.contact_email, '') = '' and cast(b.attendance as text) = '{}'
  then '${placeholderEmail("' || b.customer_id || '")}' end`

const sent = (alias: string) => `${alias}.direction = 'to_guest' and ${alias}.kind = 'message'`

export const unreachedGuests = ({ dialect, query }: Database["Type"]) => {
  const bookings = dialect.table("bookings")
  const messages = dialect.table("messages")
  const requestedRecords = (at: `$${number}`) => `${dialect.records(at, { id: "text" })} as asked`
  const text = (of: string) =>
    `select b.id, b.created_at, c.bounced_at, m.failed_at, m.failure
    from ${bookings} b
    left join ${dialect.table("customers")} g
      on g.org_id = b.org_id and g.erased_at is null and g.email = ${placeholder}
    left join ${dialect.table("conversations")} c
      on c.org_id = b.org_id and c.customer_id = b.customer_id and c.bounced_at < b.starts_at
    left join ${messages} m on m.org_id = b.org_id and m.booking_id = b.id and ${sent("m")} and ${
      hasFailedCondition("m")
    }
      and not exists (
        select 1 from ${messages} l
        where l.org_id = m.org_id and l.booking_id = m.booking_id and ${sent("l")}
          and (l.created_at, l.id) > (m.created_at, m.id)
          and (${hasFailedCondition("l")} or (l.delivered_at is not null and l.channel <> 'system'))
      )
    where b.org_id = $1 and b.status <> 'held' and ${of}
      and (c.bounced_at is not null or m.failed_at is not null or g.id is not null)
    order by b.starts_at, b.id limit $2`
  const inSpan = text("b.starts_at >= $3 and b.starts_at < $4")
  const named = text(`b.id in (
      select id from ${requestedRecords("$3")}
      union all
      select s.id from ${
    requestedRecords("$4")
  } cross join ${bookings} s where s.org_id = $1 and s.session_id = asked.id
    )`)
  const records = (ids: ReadonlyArray<string>) => JSON.stringify(ids.map((id) => ({ id })))

  return (of: UnreachedQuery): Effect.Effect<ReadonlyArray<UnreachedGuest>> => {
    const { limit, orgId } = of
    if ("bookingIds" in of && of.bookingIds.length + of.sessionIds.length === 0) return Effect.succeed([])
    const rows = "from" in of
      ? query<Row>(inSpan, [orgId, limit, of.from, of.to])
      : query<Row>(named, [orgId, limit, records(of.bookingIds), records(of.sessionIds)])
    return Effect.map(rows, (found) =>
      found.map(({ bounced_at, created_at, failed_at, failure, id: bookingId }) => ({
        bookingId,
        at: failed_at ?? bounced_at ?? created_at,
        failure
      })))
  }
}
