import type { Booking } from "@trailbook/core/booking/Booking"
import type { Target } from "@trailbook/core/conversation/Broadcast"
import { BroadcastStore } from "@trailbook/core/conversation/BroadcastStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(BroadcastStore, ({ read, write }) => {
  const find = ({ id, orgId }: Key) => read(({ broadcasts }) => Table.find(broadcasts, within(orgId, id)))
  return {
    find,
    lock: find,
    lockByKey: (orgId, key) => read(({ broadcasts }) => Table.findBy(broadcasts, "key", within(orgId, key))),
    put: (row) => write((tables) => ({ ...tables, broadcasts: putOfOrg(tables, tables.broadcasts, [row]) })),
    guests: ({ after, limit, orgId, target }) =>
      read(({ bookings }) => {
        const first = new Map<string, string>()
        for (const booking of Table.range(bookings, "start", orgId)) {
          const { customerId, id, status } = booking
          if (status !== "confirmed" || customerId <= after || !isOf(target, booking)) continue
          const known = first.get(customerId)
          if (known === undefined || id < known) first.set(customerId, id)
        }
        return [...first]
          .map(([customerId, bookingId]) => ({ customerId, bookingId }))
          .sort((a, b) => a.customerId < b.customerId ? -1 : 1)
          .slice(0, limit)
      })
  }
})

const isOf = (target: Target, { offeringId, sessionId, startsAt }: Booking): boolean => {
  if ("sessionId" in target) return sessionId === target.sessionId
  return "offeringId" in target
    ? offeringId === target.offeringId && startsAt > target.from
    : startsAt >= target.from && startsAt < target.to
}
