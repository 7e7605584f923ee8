import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import type { BookingView } from "@trailbook/core/booking"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { Link } from "../kit/elements.tsx"
import { type PageContext, usePage } from "../Page.ts"
import { type AffectedBookings, loadRefunds } from "./affectedBookings.ts"

/** Describes the cancellations, notifications, and refunds, one per sentence. */
export const loadAffectedSummary = (
  { format, run }: Pick<PageContext, "format" | "run">,
  { bookings, isMore }: AffectedBookings
): Effect.Effect<ReadonlyArray<ComponentChildren>, Refusal, Actor> =>
  Effect.gen(function*() {
    if (bookings.length === 0) return ["No bookings are affected, so no email is sent and nothing is refunded."]
    const quantity = bookings.reduce((sum, booking) => sum + booking.quantity, 0)
    const { cents, count, disputed } = yield* loadRefunds(run, bookings)
    const orMore = isMore ? "more than " : ""
    return [
      <>
        <b>{`${isMore ? "More than " : ""}${formatCount(bookings.length, "booking")}`}</b>
        {` for ${formatCount(quantity, unitOf(bookings[0]))} ${bookings.length === 1 ? "is" : "are"} canceled.`}
      </>,
      "Each booked guest gets an email.",
      count === 0 && disputed > 0
        ? "Nothing is refunded."
        : count === 0
        ? "Nothing was paid online, so nothing is refunded automatically. Refund other payments to the guests yourself."
        : `Online payments for ${formatCount(count, "booking")} are refunded in full: ${orMore}${
          format.money(cents)
        } in total.`,
      ...(disputed === 0 ? [] : [
        `${formatCount(disputed, "payment")} ${
          disputed === 1 ? "is" : "are"
        } disputed and will not be refunded. The guest's bank decides. ` +
        "Respond to the dispute through your payment provider first."
      ])
    ]
  })

/** Lists the affected guests. */
export const AffectedGuests = ({ affected: { bookings, isMore } }: { readonly affected: AffectedBookings }) => {
  const isTimed = bookings.some(({ starts_at }) => starts_at !== bookings[0]?.starts_at)
  return bookings.length === 0 ? null : (
    <details open={bookings.length <= shownAtOnce}>
      <summary>Booked guests</summary>
      <ul class="rows">
        {bookings.slice(0, shownAtMost).map((booking) => <Row key={booking.id} booking={booking} isTimed={isTimed} />)}
      </ul>
      {bookings.length > shownAtMost && (
        <p class="soft small">
          {`${isMore ? "More than " : ""}${formatCount(bookings.length - shownAtMost, "booking")} not shown.`}
        </p>
      )}
    </details>
  )
}

const shownAtMost = 100
const shownAtOnce = 12

const unitOf = (booking: BookingView | undefined) => booking?.offering.kind === "rental" ? "item" : "guest"

export const formatCount = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`

const Row = ({ booking, isTimed }: {
  readonly booking: BookingView
  /** Whether the bookings have different start times. */
  readonly isTimed: boolean
}) => {
  const { format } = usePage()
  return (
    <li>
      <div class="grow">
        <Link to={`/bookings/${booking.id}`} dir="auto">
          {booking.customer.name === "" ? booking.customer.email : booking.customer.name}
        </Link>
        {isTimed && (
          <p class="soft small num">{`${format.day(booking.starts_at)}, ${format.time(booking.starts_at)}`}</p>
        )}
      </div>
      <span class="num">
        {`${formatCount(booking.quantity, unitOf(booking))} · ${format.money(booking.total_cents)}`}
      </span>
      {booking.status === "held"
        ? <span class="tag">Held</span>
        : booking.payment_intent_id === null
        ? booking.total_cents > 0 && <span class="tag">Not paid online</span>
        : <span class="tag ok">Paid online</span>}
    </li>
  )
}
