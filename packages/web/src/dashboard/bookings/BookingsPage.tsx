/** All bookings, filtered by text, status, offering, and dates. */
import { bookingsList, type BookingView } from "@trailbook/core/booking"
import type { PriceLine } from "@trailbook/core/pricing"
import { Link, Table } from "../kit/elements.tsx"
import { listPage } from "../kit/list.tsx"
import { loadOfferingNames } from "../offerings/offeringTexts.tsx"
import { usePage } from "../Page.ts"
import { toCsvMoment } from "../parts/dateTimes.ts"
import { formatAmountInput } from "../parts/numberFields.ts"
import { sumRows, toCsvAmount } from "../reports/rows.ts"
import { formatPaymentState, formatQuantity, getGuestName, StatusTag } from "./bookingText.tsx"

const statusOptions = [["confirmed", "Confirmed"], ["held", "Held"], ["cancelled", "Canceled"]] as const

const linesText = ({ lines = [] }: BookingView, kind: PriceLine["kind"], text: (line: PriceLine) => string): string =>
  lines.filter((line) => line.kind === kind).map(text).join("; ")

/** Returns the sum as a number, or null if there are no lines. */
const sumLines = (lines: BookingView["lines"], currency: string, amount: (line: PriceLine) => number): number | null =>
  lines === undefined ? null : toCsvAmount(sumRows(lines, amount), currency)

export const bookingsPage = listPage("/bookings", bookingsList, {
  search: { label: "Search", placeholder: "Name, email, phone, or reference" },
  summary: "Status, activity, dates, and sort order",
  filters: {
    status: { label: "Status", options: statusOptions },
    offering_id: { label: "Activity", name: "offering", options: (context) => loadOfferingNames(context, 500) },
    customer_id: { label: "Guest", name: "guest", isHidden: true },
    from: { label: "Starts on or after", date: "start" },
    to: { label: "Starts on or before", date: "end" },
    order: {
      label: "Sort by",
      initial: "desc",
      options: [["desc", "Latest start first"], ["asc", "Earliest start first"]]
    }
  },
  csv: ({ format, org: { currency, timezone } }) => ({
    Reference: ({ reference }) => reference,
    Guest: ({ customer }) => customer.name,
    Email: ({ customer }) => customer.email,
    Phone: ({ customer }) => customer.phone,
    Status: ({ status }) => new Map(statusOptions).get(status) ?? status,
    Starts: ({ starts_at }) => toCsvMoment(starts_at, timezone),
    Activity: ({ offering }) => offering.name,
    Party: ({ quantity }) => quantity,
    Price: ({ total_cents }) => formatAmountInput(total_cents, currency),
    Currency: () => currency.toUpperCase(),
    Payment: (booking) => formatPaymentState(format, booking),
    Notes: ({ notes }) => notes,
    Rates: (booking) => linesText(booking, "rate", ({ name, quantity }) => `${quantity} × ${name}`),
    Extras: (booking) => linesText(booking, "extra", ({ name, quantity }) => `${quantity} × ${name}`),
    Fees: (booking) =>
      linesText(
        booking,
        "fee",
        ({ included, name, total_cents }) =>
          `${name} ${formatAmountInput(total_cents, currency)}${included ? " (included)" : ""}`
      ),
    Taxes: ({ lines }) => sumLines(lines, currency, ({ tax, total_cents }) => tax ? total_cents : 0),
    Discount: ({ lines }) => sumLines(lines, currency, ({ discount_cents }) => discount_cents),
    Adjustments: ({ lines }) =>
      sumLines(lines, currency, ({ kind, total_cents }) => kind === "adjustment" ? total_cents : 0)
  }),
  view: ({ org, site }, { q, rows }) => ({
    title: "Bookings",
    lead: q !== undefined && (
      <>
        Results for “<span dir="auto">{q}</span>”
      </>
    ),
    empty: (
      <>
        No bookings yet. <Link to="/bookings/new">Create one</Link>, or share{" "}
        <a href={site.link(`/book/${org.slug}`)}>your booking page</a> with guests.
      </>
    ),
    noMatch: "No bookings match. Try fewer words, or another status or date.",
    rows: <BookingsTable bookings={rows} />
  })
})

export const BookingsTable = ({ bookings, label = "Bookings found" }: {
  readonly bookings: ReadonlyArray<BookingView>
  readonly label?: string
}) => {
  const { format, now } = usePage()
  return (
    <Table
      label={`${label}, as a table`}
      kind="stacked"
      heads={["Guest", "Status", "Starts", "Activity", "Party", "Payment"]}
    >
      {bookings.map((booking) => (
        <tr key={booking.id}>
          <td class="named">
            <Link class="clip" to={`/bookings/${booking.id}`} dir="auto">
              <b>{getGuestName(booking.customer)}</b>
            </Link>
            <code>{booking.reference}</code>
          </td>
          <td>
            <StatusTag booking={booking} now={now} />
          </td>
          <td class="num">{format.moment(booking.starts_at)}</td>
          <td class="named" dir="auto">{booking.offering.name}</td>
          <td class="num">{formatQuantity(format, booking.offering.kind, booking.quantity)}</td>
          <td class="num">{formatPaymentState(format, booking)}</td>
        </tr>
      ))}
    </Table>
  )
}
