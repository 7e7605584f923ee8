/**
 * Reads the bookings whose guests were not reached, as defined by `findUnreachedGuest`. For each booking, two partial
 * indexes show whether a message failed and whether an address bounced.
 *
 * A time span can have thousands of bookings, but only a few guests who might not have been reached. The statement
 * therefore counts both, up to a limit, and starts from the smaller set. It counts the bookings only until they
 * outnumber the guests.
 */
import type { UnreachedGuest, UnreachedGuestsQuery } from "@trailbook/core/conversation"
import { makePlaceholderEmail } from "@trailbook/core/customer/Customer"
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
 * row. The expression is null for bookings with an email in their contact details, so those bookings skip the lookup.
 */
const placeholder = `case when coalesce(b.contact_email, '') = '' and cast(b.attendance as text) = '{}'
  then '${makePlaceholderEmail("' || b.customer_id || '")}' end`

const isSent = (alias: string) => `${alias}.direction = 'to_guest' and ${alias}.kind = 'message'`

/** All placeholder emails start with this text and sort before {@link placeholderEnd}. */
const placeholderStart = makePlaceholderEmail("").replace(/@.*/, "")
const placeholderEnd = `${placeholderStart.slice(0, -1)}.`

/** The counts decide where a statement starts. Beyond this number, counting more entries costs more than it saves. */
const maxCounted = 2000

export const makeListUnreachedGuests = ({ dialect, query }: Database["Type"]) => {
  const [bookings, conversations] = [dialect.table("bookings"), dialect.table("conversations")]
  const [customers, messages] = [dialect.table("customers"), dialect.table("messages")]
  const requestedRecords = (at: `$${number}`) => `${dialect.records(at, { id: "text" })} as asked`
  const select = (from: string, condition: string) =>
    `select b.id, b.starts_at, b.created_at, c.bounced_at, m.failed_at, m.failure
    from ${from} ${bookings} b
    left join ${customers} g on g.org_id = b.org_id and g.erased_at is null and g.email = ${placeholder}
    left join ${conversations} c
      on c.org_id = b.org_id and c.customer_id = b.customer_id and c.bounced_at < b.starts_at
    left join ${messages} m on m.org_id = b.org_id and m.booking_id = b.id and ${isSent("m")} and ${
      hasFailedCondition("m")
    }
      and not exists (
        select 1 from ${messages} l
        where l.org_id = m.org_id and l.booking_id = m.booking_id and ${isSent("l")}
          and (l.created_at, l.id) > (m.created_at, m.id)
          and (${hasFailedCondition("l")} or (l.delivered_at is not null and l.channel <> 'system'))
      )
    where b.org_id = $1 and b.status <> 'held' and ${condition}
      and (c.bounced_at is not null or m.failed_at is not null or g.id is not null)`
  const idQuery = `${
    select(
      "",
      `b.id in (
      select id from ${requestedRecords("$3")}
      union all
      select s.id from ${
        requestedRecords("$4")
      } cross join ${bookings} s where s.org_id = $1 and s.session_id = asked.id
    )`
    )
  } order by b.starts_at, b.id limit $2`

  const span = "b.org_id = $1 and b.starts_at >= $3 and b.starts_at < $4"
  const bounces = `${conversations} s where s.org_id = $1 and s.bounced_at is not null`
  const failures = `${messages} s where s.org_id = $1 and s.failed_at is not null`
  const withoutEmail = `${customers} s where s.org_id = $1 and s.erased_at is null
      and s.email >= '${placeholderStart}' and s.email < '${placeholderEnd}'`
  const count = (source: string, limit: string | number = maxCounted) =>
    `(select count(*) from (select 1 from ${source} limit ${limit}) as found)`
  const outnumbering = `(select case when guests < ${maxCounted} then guests + 1 else ${maxCounted} end from counted)`
  const selectBookings = (customer: string, source: string) =>
    `select b.id from smaller cross join (select ${customer} as id from ${source}) as guest cross join ${bookings} b
      where smaller.is_span = 0 and b.customer_id = guest.id and ${span}`
  const spanQuery = `with counted as materialized (
      select ${count(bounces)} + ${count(failures)} + ${count(withoutEmail)} as guests
    ), smaller as materialized (
      select case when ${count(`${bookings} b where ${span}`, outnumbering)} <= guests then 1 else 0 end as is_span
      from counted
    ), suspected as materialized (
      ${selectBookings("s.customer_id", bounces)}
      union ${selectBookings("s.id", withoutEmail)}
      union select failure.id from smaller cross join (select s.booking_id as id from ${failures}) as failure
      where smaller.is_span = 0
    )
    select * from (
      ${select("suspected cross join", `b.id = suspected.id and ${span}`)}
      union all
      ${select("smaller cross join", `smaller.is_span = 1 and ${span}`)}
    ) as found order by starts_at, id limit $2`
  const toRecords = (ids: ReadonlyArray<string>) => JSON.stringify(ids.map((id) => ({ id })))

  return (guestQuery: UnreachedGuestsQuery): Effect.Effect<ReadonlyArray<UnreachedGuest>> => {
    const { limit, orgId } = guestQuery
    if ("bookingIds" in guestQuery && guestQuery.bookingIds.length + guestQuery.sessionIds.length === 0) {
      return Effect.succeed([])
    }
    const rows = "from" in guestQuery
      ? query<Row>(spanQuery, [orgId, limit, guestQuery.from, guestQuery.to])
      : query<Row>(idQuery, [orgId, limit, toRecords(guestQuery.bookingIds), toRecords(guestQuery.sessionIds)])
    return Effect.map(rows, (guests) =>
      guests.map(({ bounced_at, created_at, failed_at, failure, id: bookingId }) => ({
        bookingId,
        at: failed_at ?? bounced_at ?? created_at,
        failure
      })))
  }
}
