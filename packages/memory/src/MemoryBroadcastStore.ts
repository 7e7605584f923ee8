import type { Booking } from "@trailbook/core/booking/Booking"
import type { Target } from "@trailbook/core/conversation/broadcast/Broadcast"
import { BroadcastStore } from "@trailbook/core/conversation/broadcast/BroadcastStore"
import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import type { Position } from "@trailbook/core/wire/Cursor"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { orgKey, putOfOrg, type Tables } from "./Tables.ts"

export const layer = storeLayer(BroadcastStore, ({ read, write }) => {
  const find = ({ id, orgId }: OrgKey) => read(({ broadcasts }) => Table.find(broadcasts, orgKey(orgId, id)))
  return {
    find,
    lock: find,
    lockByKey: (orgId, key) => read(({ broadcasts }) => Table.findBy(broadcasts, "key", orgKey(orgId, key))),
    put: (row) => write((tables) => ({ ...tables, broadcasts: putOfOrg(tables, tables.broadcasts, [row]) })),
    booked: ({ after, limit, orgId, target }) =>
      read(({ bookings }) =>
        confirmed(bookings, orgId, target, after)
          .slice(0, limit)
          .map(({ customerId, id, startsAt: at }) => ({ at, id, customerId }))
      ),
    guests: ({ among, orgId, target }) =>
      read(({ bookings }) => {
        const asked = new Set(among)
        const first = new Map<string, string>()
        for (const { customerId, id } of confirmed(bookings, orgId, target)) {
          if (asked.has(customerId) && !first.has(customerId)) first.set(customerId, id)
        }
        return [...first]
          .map(([customerId, bookingId]) => ({ customerId, bookingId }))
          .sort((a, b) => a.customerId < b.customerId ? -1 : 1)
      })
  }
})

const confirmed = (
  bookings: Tables["bookings"],
  orgId: string,
  target: Target,
  above?: Position
): ReadonlyArray<Booking> =>
  [...Table.range(bookings, "start", orgId, { above })].filter((row) => row.status === "confirmed" && isOf(target, row))

const isOf = (target: Target, { offeringId, sessionId, startsAt }: Booking): boolean => {
  if ("sessionId" in target) return sessionId === target.sessionId
  return "offeringId" in target
    ? offeringId === target.offeringId && startsAt > target.from
    : startsAt >= target.from && startsAt < target.to
}
