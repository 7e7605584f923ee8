import type { BookingView } from "@trailbook/core/booking/BookingView"
import type { DeskShown } from "../View.ts"
import { type Affected, paidOf } from "./affected.ts"

/**
 * Who is told, what goes back, and who they are.
 *
 * @category views
 */
export const Consequences = (
  { affected: { bookings, isMore }, shown }: { readonly affected: Affected; readonly shown: DeskShown }
) => {
  const { format } = shown
  const guests = new Set(bookings.map(({ customer_id }) => customer_id)).size
  const { cents, count } = paidOf(bookings)
  const isTimed = bookings.some(({ starts_at }) => starts_at !== bookings[0]?.starts_at)
  const orMore = isMore ? "more than " : ""
  return bookings.length === 0
    ? <p>Nobody has booked. Nobody is written to, and no money moves.</p>
    : (
      <>
        <ul class="points">
          <li>
            <b>{`${orMore}${counted(bookings.length, "booking")}`}</b> of {counted(guests, "guest")}{" "}
            {bookings.length === 1 ? "is" : "are"} cancelled.
          </li>
          <li>Each of these guests gets a mail that says so.</li>
          <li>
            {count === 0
              ? "Nobody has paid online, so nothing is refunded. What was paid otherwise is yours to settle."
              : `${counted(count, "booking")} paid online: ${orMore}${format.money(cents)} in all is refunded in full.`}
          </li>
        </ul>
        <details open={bookings.length <= shownAtOnce}>
          <summary>Who has booked</summary>
          <ul class="rows">
            {bookings.slice(0, 100).map((booking) => (
              <Row key={booking.id} booking={booking} isTimed={isTimed} shown={shown} />
            ))}
          </ul>
          {bookings.length > 100 && <p class="soft small">{`And ${orMore}${bookings.length - 100} others.`}</p>}
        </details>
      </>
    )
}

const shownAtOnce = 12

/**
 * @category formatting
 */
export const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`

const Row = (
  { booking, isTimed, shown: { format, site } }: {
    readonly booking: BookingView
    /** Whether they start at different times. */
    readonly isTimed: boolean
    readonly shown: DeskShown
  }
) => (
  <li>
    <div class="grow">
      <a href={site.link(`/dashboard/bookings/${booking.id}`)} dir="auto">
        {booking.customer.name === "" ? booking.customer.email : booking.customer.name}
      </a>
      {isTimed && <p class="soft small num">{`${format.day(booking.starts_at)}, ${format.time(booking.starts_at)}`}</p>}
    </div>
    <span class="num">{`${booking.quantity} × · ${format.money(booking.total_cents)}`}</span>
    {booking.status === "held"
      ? <span class="tag">Held</span>
      : booking.payment_intent_id === null
      ? booking.total_cents > 0 && <span class="tag">Not paid online</span>
      : <span class="tag ok">Paid online</span>}
  </li>
)
