import type { Target } from "@trailbook/core/conversation/broadcast/Broadcast"
import { BroadcastStore } from "@trailbook/core/conversation/broadcast/BroadcastStore"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import type { Value } from "../Dialect.ts"
import { keyColumns, queryWithRecords } from "../jsonParameter.ts"
import { minInstant } from "../openBounds.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { broadcastTable } from "../table/broadcastTable.ts"

export const layer = storeLayer(BroadcastStore, (database) => {
  const { dialect, query } = database
  const rows = Rows.make(database, broadcastTable, "c")
  const byKey = `${rows.select} where c.org_id = $1 and c.key = $2${rows.locked}`
  const bookings = dialect.table("bookings")
  const booked = (of: string) =>
    `select b.customer_id, b.starts_at as at, b.id from ${bookings} b
    where b.org_id = $1 and b.status = 'confirmed' and (b.starts_at, b.id) > ($2, $3) and ${of}
    order by b.starts_at, b.id limit $4`
  // Each guest is a single step into the index of a customer's bookings, regardless of the size of the target.
  const guests = (of: string) =>
    `select customer_id, booking_id from (
      select asked.id as customer_id, (
        select b.id from ${bookings} b
        where b.org_id = asked.org_id and b.customer_id = asked.id and b.status = 'confirmed' and ${of}
        order by b.starts_at, b.id limit 1
      ) as booking_id
      from ${dialect.records("$1", keyColumns)} as asked
    ) as each_guest where booking_id is not null order by customer_id`

  return {
    find: rows.find,
    lock: rows.lock,
    lockByKey: (orgId, key) => rows.one(byKey, [orgId, key]),
    put: rows.putOne,
    booked: ({ after, limit, orgId, target }) => {
      const { at, id } = after ?? before(target)
      const [of, value] = within(target)
      return Effect.map(
        query<Position & { readonly customer_id: string }>(booked(of), [orgId, at, id, limit, value]),
        (rows) => rows.map(({ at, customer_id, id }) => ({ at, id, customerId: customer_id }))
      )
    },
    guests: ({ among, orgId, target }) => {
      const [of, values] = isOf(target)
      return Effect.map(
        queryWithRecords<{ readonly customer_id: string; readonly booking_id: string }>(
          database,
          guests(of),
          among.map((id) => ({ org_id: orgId, id })),
          ...values
        ),
        (rows) => rows.map(({ booking_id, customer_id }) => ({ customerId: customer_id, bookingId: booking_id }))
      )
    }
  }
})

/**
 * The position before the first booking of a target. It combines both lower bounds, because a database uses only one of
 * two.
 */
const before = (target: Target): Position => {
  if ("sessionId" in target) return minInstant
  return { at: "offeringId" in target ? target.from + 1 : target.from, id: "" }
}

/** The remaining condition for the bookings of a target after that position. */
const within = (target: Target): readonly [condition: string, value: Value] => {
  if ("sessionId" in target) return ["b.session_id = $5", target.sessionId]
  return "offeringId" in target ? ["b.offering_id = $5", target.offeringId] : ["b.starts_at < $5", target.to]
}

const isOf = (target: Target): readonly [condition: string, values: ReadonlyArray<Value>] => {
  if ("sessionId" in target) return ["b.session_id = $2", [target.sessionId]]
  return "offeringId" in target
    ? ["b.offering_id = $2 and b.starts_at > $3", [target.offeringId, target.from]]
    : ["b.starts_at >= $2 and b.starts_at < $3", [target.from, target.to]]
}
