import type { Booking } from "@trailbook/core/booking"
import type { LedgerEntry } from "@trailbook/core/payment"
import {
  isTestEntry,
  type ReportQuery,
  ReportStore,
  toGuestStart,
  toReceivedAmount,
  toReportBooking,
  toReportDay,
  toReportEntry
} from "@trailbook/core/report"
import { storeLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import { type Tables, toKey, toOrgKey } from "./Tables.ts"

export const layer = storeLayer(ReportStore, ({ read }) => ({
  bookings: ({ basis, status, ...query }) =>
    read((tables) =>
      readPage(tables, query, basis === "start" ? "start" : "created", (booking) => booking.status === status)
        .map((booking) => toReportBooking(booking, basis, findEntries(tables, booking)))
    ),
  entries: (query) =>
    read(({ ledger }) =>
      Table.list(ledger, "done", query.orgId, {
        ...toBounds(query),
        limit: query.limit,
        where: (entry) => !isTestEntry(query, entry)
      }).flatMap((entry) => toReportEntry(entry) ?? [])
    ),
  receivedBefore: (query) =>
    read((tables) =>
      readPage(tables, query, "start", ({ status }) => status !== "held")
        .map((booking) => toReceivedAmount(booking, findEntries(tables, booking), query.from))
    ),
  guestStarts: (query) =>
    read((tables) =>
      readPage(tables, query, "start", ({ status }) => status === "confirmed")
        .map((booking) =>
          toGuestStart(
            booking,
            Table.list(tables.bookings, "ofCustomer", toOrgKey(booking.orgId, booking.customerId))
          )
        )
    ),
  day: ({ orgId, ...query }) => read(({ bookings }) => toReportDay(Table.list(bookings, "start", orgId), query))
}))

const toBounds = ({ after, from, to }: ReportQuery) => ({
  above: after ?? Table.toPosition(from),
  below: Table.toPosition(to)
})

const readPage = (
  tables: Tables,
  query: ReportQuery,
  index: "start" | "created",
  isWanted: (booking: Booking) => boolean
): ReadonlyArray<Booking> =>
  Table.list(tables.bookings, index, query.orgId, {
    ...toBounds(query),
    limit: query.limit,
    where: (booking) => isWanted(booking) && !findEntries(tables, booking).some((entry) => isTestEntry(query, entry))
  })

const findEntries = ({ ledger }: Tables, booking: Booking): ReadonlyArray<LedgerEntry> =>
  Table.list(ledger, "ofBooking", toKey(booking))
