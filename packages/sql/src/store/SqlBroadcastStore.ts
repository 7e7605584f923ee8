import type { Target } from "@trailbook/core/conversation/Broadcast"
import { BroadcastStore } from "@trailbook/core/conversation/BroadcastStore"
import * as Effect from "effect/Effect"
import type { Value } from "../Dialect.ts"
import { layerOf } from "../layerOf.ts"
import * as Rows from "../Rows.ts"
import { broadcastTable } from "../table/broadcastTable.ts"

/**
 * @category layers
 */
export const layer = layerOf(BroadcastStore, (database) => {
  const { dialect, query } = database
  const rows = Rows.make(database, broadcastTable, "c")
  const byKey = `${rows.select} where c.org_id = $1 and c.key = $2${rows.locked}`
  const guests = (of: string) =>
    `select b.customer_id, min(b.id) as booking_id from ${dialect.table("bookings")} b
    where b.org_id = $1 and b.status = 'confirmed' and b.customer_id > $2 and ${of}
    group by b.customer_id order by b.customer_id limit $3`

  return {
    find: rows.find,
    lock: rows.lock,
    lockByKey: (orgId, key) => rows.one(byKey, [orgId, key]),
    put: rows.putOne,
    guests: ({ after, limit, orgId, target }) => {
      const [of, values] = conditionOf(target)
      return Effect.map(
        query<{ readonly customer_id: string; readonly booking_id: string }>(guests(of), [
          orgId,
          after,
          limit,
          ...values
        ]),
        (rows) => rows.map(({ booking_id, customer_id }) => ({ customerId: customer_id, bookingId: booking_id }))
      )
    }
  }
})

const conditionOf = (target: Target): readonly [text: string, values: ReadonlyArray<Value>] => {
  if ("sessionId" in target) return ["b.session_id = $4", [target.sessionId]]
  return "offeringId" in target
    ? ["b.offering_id = $4 and b.starts_at > $5", [target.offeringId, target.from]]
    : ["b.starts_at >= $4 and b.starts_at < $5", [target.from, target.to]]
}
