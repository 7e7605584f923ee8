import type { BookingView } from "@trailbook/core/booking"
import { isWithheld } from "@trailbook/core/payment"
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { guestName, partyText, paymentText, StatusTag } from "../bookings/facts.tsx"
import { Empty, Link, Table } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"

/** A guest list. In print, each row has a check box. */
export const Manifest = ({ bookings, isCut, label }: {
  readonly label: string
  readonly bookings: ReadonlyArray<BookingView>
  /** Whether the list is incomplete. */
  readonly isCut: boolean
}) => {
  const { format, now } = usePage()
  if (bookings.length === 0) return <Empty>No bookings yet.</Empty>
  return (
    <>
      <Table
        label={`${label}, as a table`}
        kind="stacked manifest"
        heads={[
          ["tick-box", <span class="sr">Arrived</span>],
          "Guest",
          "Party",
          "Phone",
          "Notes",
          "Payment",
          "Reference"
        ]}
      >
        {bookings.map((booking) => (
          <tr key={booking.id}>
            <td class="tick-box">☐</td>
            <td class="named">
              <Link to={`/bookings/${booking.id}`} dir="auto">
                <b>{guestName(booking.customer)}</b>
              </Link>
              {(booking.status !== "confirmed" || isWithheld(booking.dispute)) && (
                <StatusTag booking={booking} now={now} />
              )}
            </td>
            <td class="num">{partyText(format, booking.offering.kind, booking.quantity)}</td>
            <td class="num">
              {booking.customer.phone !== "" && <PhoneLink phone={booking.customer.phone} />}
            </td>
            <td class="noted words" dir="auto">{booking.notes}</td>
            <td class="num">{paymentText(format, booking)}</td>
            <td>
              <code>{booking.reference}</code>
            </td>
          </tr>
        ))}
      </Table>
      {isCut && <CutNote of={bookings} />}
    </>
  )
}

/** A hint that a list is incomplete. */
export const CutNote = ({ of }: { readonly of: ReadonlyArray<BookingView> }) => (
  <p class="note">{`The first ${of.length} bookings are shown. See Bookings for the rest.`}</p>
)

/** A hint about printing, which is shown only on screen. */
export const PrintHint = () => (
  <p class="soft small on-screen">
    Print this page (<kbd>Ctrl</kbd> <kbd>P</kbd>, or <kbd>⌘</kbd>{" "}
    <kbd>P</kbd>). The menu and this line are not printed.
  </p>
)
