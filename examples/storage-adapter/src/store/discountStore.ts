import { isDiscountUse } from "@trailbook/core/booking"
import type { DiscountStore } from "@trailbook/core/offering"
import { toCreationPosition } from "@trailbook/core/wire"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { within } from "../Rows.ts"
import { findRows, get, inGroup } from "../State.ts"

export const discountStore = ({ read, write }: Journal): DiscountStore["Type"] => ({
  lock: ({ id, orgId }) => read(({ discounts }) => Option.fromNullable(get(discounts, within(orgId, id)))),
  findByCode: ({ code, orgId }) =>
    read(({ discounts }) =>
      Option.fromNullable(inGroup(discounts, `org ${orgId}`).find((discount) => discount.code === code))
    ),
  lockByCode: (keys) =>
    read(({ discounts }) =>
      [...new Set(keys.map(({ orgId }) => orgId))].flatMap((orgId) =>
        inGroup(discounts, `org ${orgId}`).filter(({ code }) =>
          keys.some((key) => key.orgId === orgId && key.code === code)
        )
      )
    ),
  list: ({ after, limit, orgId }) =>
    read(({ discounts }) =>
      inGroup(discounts, `org ${orgId}`).filter((discount) => {
        const { at, id } = toCreationPosition(discount)
        return after === undefined || at > after.at || (at === after.at && id > after.id)
      }).toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).slice(0, limit)
    ),
  uses: (keys, now) =>
    read(({ bookings, discounts, orgs }) =>
      findRows(discounts, keys).map(({ id, orgId, returnsOnCancel }) => {
        const useBookings = inGroup(bookings, `discount ${within(orgId, id)}`).filter((booking) =>
          isDiscountUse(booking, returnsOnCancel, now)
        )
        const currency = get(orgs, orgId)?.currency
        const paying = useBookings.filter((booking) => booking.status === "confirmed" && booking.currency === currency)
        return {
          id,
          uses: useBookings.length,
          revenueCents: paying.reduce((sum, { totalCents }) => sum + totalCents, 0)
        }
      })
    ),
  put: (row) => write(() => [{ table: "discounts", row }]),
  remove: ({ id, orgId }) =>
    write(({ discounts }) => {
      const row = get(discounts, within(orgId, id))
      return row === undefined ? [] : [{ table: "discounts", row, gone: true }]
    })
})
