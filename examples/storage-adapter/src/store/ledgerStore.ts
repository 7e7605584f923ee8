import type { LedgerStore } from "@trailbook/core/payment"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { get, inGroup, inGroups } from "../State.ts"

export const ledgerStore = ({ read, write }: Journal): LedgerStore["Type"] => ({
  find: ({ id, orgId }) => read(({ ledger }) => Option.fromNullable(get(ledger, within(orgId, id)))),
  list: ({ after, bookingId, from = -Infinity, limit, method, orgId, to = Infinity }) =>
    read(({ ledger }) =>
      page(
        inGroup(ledger, bookingId === undefined ? `org ${orgId}` : `booking ${within(orgId, bookingId)}`)
          .filter((entry) => method === undefined || entry.method === method)
          .filter(({ createdAt }) => createdAt >= from && createdAt < to),
        byCreation,
        { after, limit, order: "desc" }
      )
    ),
  put: (rows) =>
    write(({ ledger }) =>
      rows.map((row) => {
        const { createdAt } = get(ledger, within(row.orgId, row.id)) ?? row
        return { table: "ledger", row: { ...row, createdAt } }
      })
    ),
  forgetNotes: (bookings) =>
    write(({ ledger }) =>
      inGroups(ledger, bookings.map(({ id, orgId }) => `booking ${within(orgId, id)}`))
        .map((row) => ({ table: "ledger", row: { ...row, note: "" } }))
    )
})
