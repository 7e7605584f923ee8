import type { Booking } from "@trailbook/core/booking"
import {
  isTestEntry,
  type ReportQuery,
  type ReportStore,
  toGuestStart,
  toReceivedAmount,
  toReportBooking,
  toReportDay,
  toReportEntry
} from "@trailbook/core/report"
import type { Position } from "@trailbook/core/wire"
import type { Journal } from "../Journal.ts"
import { page } from "../page.ts"
import { within } from "../Rows.ts"
import { inGroup, type State } from "../State.ts"

export const reportStore = ({ read }: Journal): ReportStore["Type"] => ({
  bookings: ({ basis, status, ...query }) =>
    read((state) =>
      pageOf(
        query,
        ofOrg(state, query, status).map((booking) => toReportBooking(booking, basis, entriesOf(state, booking)))
      )
    ),
  entries: (query) =>
    read(({ ledger }) =>
      pageOf(
        query,
        inGroup(ledger, `org ${query.orgId}`)
          .filter((entry) => !isTestEntry(query, entry))
          .flatMap((entry) => toReportEntry(entry) ?? [])
      )
    ),
  receivedBefore: (query) =>
    read((state) =>
      pageOf(
        query,
        ofOrg(state, query, "confirmed", "cancelled")
          .map((booking) => toReceivedAmount(booking, entriesOf(state, booking), query.from))
      )
    ),
  guestStarts: (query) =>
    read((state) =>
      pageOf(
        query,
        ofOrg(state, query, "confirmed").map((booking) =>
          toGuestStart(
            booking,
            inGroup(state.bookings, `customer ${within(booking.orgId, booking.customerId)}`)
              .toSorted((a, b) => a.startsAt - b.startsAt)
          )
        )
      )
    ),
  day: (query) => read((state) => toReportDay(inGroup(state.bookings, `org ${query.orgId}`), query))
})

const pageOf = <Row extends Position>(query: ReportQuery, rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  page(rows.filter(({ at }) => at >= query.from && at < query.to), (row) => row, query)

const entriesOf = ({ ledger }: State, { id, orgId }: Booking) => inGroup(ledger, `booking ${within(orgId, id)}`)

const ofOrg = (
  state: State,
  query: ReportQuery,
  ...statuses: ReadonlyArray<Booking["status"]>
): ReadonlyArray<Booking> =>
  inGroup(state.bookings, `org ${query.orgId}`).filter((booking) =>
    statuses.includes(booking.status) && !entriesOf(state, booking).some((entry) => isTestEntry(query, entry))
  )
