import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import { PaymentStore } from "@trailbook/core/payment/PaymentStore"
import * as Option from "effect/Option"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { findRows, orgKey, requireRow, type Tables } from "./Tables.ts"

export const layer = storeLayer(PaymentStore, ({ read, write }) => {
  const ofBookings = (bookings: ReadonlyArray<OrgKey>) => ({ payments }: Tables) =>
    [...new Set(bookings.map(({ id, orgId }) => orgKey(orgId, id)))].sort().flatMap((booking) => [
      ...Table.range(payments, "ofBooking", booking)
    ])
  return {
    find: (keys) =>
      read(({ payments }) => findRows(payments, keys).toSorted((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    ofBookings: (bookings) => read(ofBookings(bookings)),
    // No lock needed: transactions run one at a time.
    lockOfBookings: (bookings) => read(ofBookings(bookings)),
    withIntent: ({ intent, orgId, provider }) =>
      read(({ payments }) =>
        Option.filter(
          Table.findBy(payments, "intent", `${provider} ${intent}`),
          (payment) => payment.orgId === orgId
        )
      ),
    put: (payments) =>
      write((tables) => {
        for (const { bookingId, orgId } of payments) requireRow(tables.bookings, orgKey(orgId, bookingId))
        return { ...tables, payments: payments.reduce(Table.put, tables.payments) }
      })
  }
})
