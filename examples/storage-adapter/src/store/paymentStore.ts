import type { OrgKey } from "@trailbook/core/offering"
import type { Payment, PaymentStore } from "@trailbook/core/payment"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byId } from "../page.ts"
import { within } from "../Rows.ts"
import { findRows, inGroup, inGroups, type State } from "../State.ts"

export const paymentStore = ({ read, write }: Journal): PaymentStore["Type"] => ({
  find: (keys) => read(({ payments }) => byId(findRows(payments, keys))),
  ofBookings: (bookings) => read(ofBookings(bookings)),
  // Transactions run one after another, so a row cannot change between its read and the commit.
  lockOfBookings: (bookings) => read(ofBookings(bookings)),
  withIntent: ({ intent, orgId, provider }) =>
    read(({ payments }) =>
      Option.fromNullable(inGroup(payments, `intent ${provider} ${intent}`).find((payment) => payment.orgId === orgId))
    ),
  put: (rows) => write(() => rows.map((row) => ({ table: "payments", row })))
})

const ofBookings = (bookings: ReadonlyArray<OrgKey>) => ({ payments }: State): ReadonlyArray<Payment> => {
  const groups = [...new Set(bookings.map(({ id, orgId }) => `booking ${within(orgId, id)}`))].sort()
  return groups.flatMap((group) => inGroups(payments, [group]).toSorted((a, b) => a.attempt - b.attempt))
}
