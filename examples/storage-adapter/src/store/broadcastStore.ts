import type { Booking } from "@trailbook/core/booking"
import type { BroadcastStore, BroadcastTarget } from "@trailbook/core/conversation"
import type { OrgKey } from "@trailbook/core/offering"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byStart, page } from "../page.ts"
import { within } from "../Rows.ts"
import { get, inGroup, type State } from "../State.ts"

export const broadcastStore = ({ read, write }: Journal): BroadcastStore["Type"] => {
  const find = ({ id, orgId }: OrgKey) =>
    read(({ broadcasts }) => Option.fromNullable(get(broadcasts, within(orgId, id))))
  return {
    find,
    lock: find,
    lockByKey: (orgId, key) =>
      read(({ broadcasts }) => Option.fromIterable(inGroup(broadcasts, `key ${within(orgId, key)}`))),
    put: (row) => write(() => [{ table: "broadcasts", row }]),
    listConfirmedBookings: ({ after, limit, orgId, target }) =>
      read(({ bookings }) =>
        page(confirmedOf(bookings, orgId, target), byStart, { after, limit })
          .map(({ customerId, id, startsAt: at }) => ({ at, id, customerId }))
      ),
    guests: ({ among, orgId, target }) =>
      read(({ bookings }) => {
        const guestRows = page(confirmedOf(bookings, orgId, target), byStart, { limit: Infinity })
          .filter(({ customerId }) => among.includes(customerId))
        // A later entry replaces an earlier one, so each guest keeps the booking with the earliest start time.
        const first = new Map(guestRows.toReversed().map(({ customerId, id }) => [customerId, id]))
        return [...first]
          .map(([customerId, bookingId]) => ({ customerId, bookingId }))
          .sort((a, b) => a.customerId < b.customerId ? -1 : 1)
      })
  }
}

const confirmedOf = (bookings: State["bookings"], orgId: string, target: BroadcastTarget): ReadonlyArray<Booking> =>
  [...inGroup(bookings, `org ${orgId}`)].filter((row) => row.status === "confirmed" && isOf(target, row))

const isOf = (target: BroadcastTarget, { offeringId, sessionId, startsAt }: Booking): boolean => {
  if ("sessionId" in target) return sessionId === target.sessionId
  return "offeringId" in target
    ? offeringId === target.offeringId && startsAt > target.from
    : startsAt >= target.from && startsAt < target.to
}
